// A compare-exchange that fails says that what was read before is no longer true.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> hits;

static void count()
{
    int now = hits.load(std::memory_order_relaxed);
    while (!hits.compare_exchange_weak(now, now + 1))
        ;
}

static void serve()
{
    for (int i = 0; i < 3; i++)
        count();
}

int main()
{
    std::thread first(serve), second(serve);
    first.join();
    second.join();
    std::printf("%d\n", hits.load());
}
