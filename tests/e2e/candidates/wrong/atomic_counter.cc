// A load and a store, each atomic, are no increment. block: count
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> hits;

static void count()
{
    int now = hits.load(std::memory_order_relaxed);
    hits.store(now + 1, std::memory_order_relaxed);
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
