/* block: use
 * The object is used without a reference of one's own. */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::shared_ptr<int> current = std::make_shared<int>(4);

static int use()
{
    int *mine;
    {
        std::lock_guard<std::mutex> guard(mutex);
        mine = current.get();
    }
    return mine ? *mine : -1;
}

static void drop()
{
    std::lock_guard<std::mutex> guard(mutex);
    current.reset();
}

int main()
{
    std::thread one([] { use(); }), two(drop);
    one.join();
    two.join();
    puts("end");
}
