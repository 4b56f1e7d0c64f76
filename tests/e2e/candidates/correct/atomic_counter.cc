// Increments in one step.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> hits;

static void count()
{
    hits.fetch_add(1, std::memory_order_relaxed);
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
