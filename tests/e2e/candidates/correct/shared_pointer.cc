/* A reference is held for a while: the count has changed twice, and others look at it meanwhile. */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::shared_ptr<int> current = std::make_shared<int>(4);

static int use()
{
    std::shared_ptr<int> mine;
    {
        std::lock_guard<std::mutex> guard(mutex);
        mine = current;
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
