/* block: work. A lock made of std::atomic::wait. */
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<bool> taken{false};
static int count, copy;

__attribute__((noinline)) void work()
{
    while (taken.exchange(true))
        taken.wait(true);
    count++;
    copy = count;
    taken.store(false);
    taken.notify_one();
}

int main()
{
    std::thread one(work), two(work);
    one.join();
    two.join();
    printf("%d %d\n", count, copy);
}
