// SPDX-License-Identifier: MIT
// For -fsanitize=thread objects with our runtime: threads race on the same words, plain and
// atomic, and use a class with virtual functions; the harness checks every value.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <pthread.h>

static uint32_t words[4];
static volatile uint64_t wide;
static std::atomic<int> counter;
static std::mutex lock;
static int guarded;

struct Base {
    virtual ~Base() = default;
    virtual int step(int i) { return i; }
};

struct Derived : Base {
    int step(int i) override { return i + 1; }
};

static int rounds = 1000;

static void *hammer(void *argument)
{
    uint32_t me = (uint32_t)(uintptr_t)argument;
    Base *base = new Derived;
    for (int i = 0; i < rounds; i++) {
        words[i % 4] = me << 24 | (uint32_t)i;
        words[(i + 1) % 4] += 1;
        wide = wide + (uint64_t)base->step(i);
        counter++;
        int expected = i;
        counter.compare_exchange_weak(expected, i + 1);
        if (i % 16 == 0) {
            std::lock_guard<std::mutex> guard(lock);
            guarded++;
        }
    }
    delete base;
    return nullptr;
}

int main(int argc, char **argv)
{
    static pthread_t threads[3]; // written by pthread_create, which is not instrumented
    if (argc > 1)
        rounds = std::atoi(argv[1]);
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], nullptr, hammer, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], nullptr);
    return guarded == 3 * ((rounds + 15) / 16) ? 0 : 1;
}
