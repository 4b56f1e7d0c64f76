// Cancellation and pthread_exit unwind C++ frames: destructors, catch (...) that throws again.
#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <unistd.h>
static std::atomic<int> destroyed, caught, ready;

struct guard {
    ~guard() { destroyed++; }
};

static void deep(int depth, bool leave)
{
    guard one;
    if (depth > 0) {
        deep(depth - 1, leave);
        return;
    }
    ready = 1;
    if (leave)
        pthread_exit(&ready);
    for (;;)
        sleep(1000);
}

static void *run(void *leave)
{
    try {
        deep(9, leave != nullptr);
    } catch (...) {
        caught++;
        throw;
    }
    return nullptr;
}

int main()
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, run, nullptr);
    while (!ready)
        usleep(100);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::printf("%d %d %d\n", result == PTHREAD_CANCELED, destroyed.load(), caught.load());
    pthread_create(&thread, nullptr, run, &thread);
    pthread_join(thread, &result);
    std::printf("%d %d %d\n", result == &ready, destroyed.load(), caught.load());
}
