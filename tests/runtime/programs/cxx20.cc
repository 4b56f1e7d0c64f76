// SPDX-License-Identifier: MIT
// C++20's primitives: those of libstdc++.so reach the runtime through the POSIX names, those
// made of futexes through syscall. What the header code does to memory is not instrumented
// here, so that only the runtime's own records are checked.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);           \
            std::_Exit(99);                                                                        \
        }                                                                                          \
    } while (0)

static std::mutex lock;
static std::condition_variable changed;
static std::once_flag flag;
static int sum, tries;

struct Lazy {
    Lazy()
    {
        std::this_thread::yield();
        if (++tries == 1)
            throw std::runtime_error("not yet");
    }
};

static void make_lazily()
{
    try {
        static Lazy lazy;
    } catch (const std::runtime_error &) {
        static Lazy other;
    }
}

static void work(std::latch &started, std::barrier<> &rounds, std::counting_semaphore<8> &room)
{
    started.arrive_and_wait();
    std::call_once(flag, [] { sum = 1000; });
    MUST(sum >= 1000);
    make_lazily();
    for (int i = 0; i < 10; i++) {
        room.acquire();
        {
            std::lock_guard guard(lock);
            sum++;
        }
        room.release();
        rounds.arrive_and_wait();
    }
}

static void wait_on_atomic()
{
    std::atomic<int> value{0};
    std::thread other([&] {
        value.wait(0);
        MUST(value == 1);
        value = 2;
        value.notify_all();
    });
    value = 1;
    value.notify_one();
    value.wait(1);
    MUST(value == 2);
    other.join();
}

static void throw_once()
{
    std::once_flag once;
    int calls = 0;
    try {
        std::call_once(once, [&] {
            calls++;
            throw std::runtime_error("no");
        });
    } catch (const std::runtime_error &) {
        calls += 10;
    }
    std::call_once(once, [&] { calls += 100; });
    MUST(calls == 111);
}

static void wait_for_time()
{
    std::unique_lock guard(lock);
    MUST(changed.wait_for(guard, std::chrono::milliseconds(5)) == std::cv_status::timeout);
    std::timed_mutex timed;
    timed.lock();
    std::thread([&] { MUST(!timed.try_lock_for(std::chrono::milliseconds(5))); }).join();
    timed.unlock();
    std::counting_semaphore<8> none(0);
    MUST(!none.try_acquire_for(std::chrono::milliseconds(5)));
}

int main()
{
    std::latch started(3);
    std::barrier rounds(3);
    std::counting_semaphore<8> room(2);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] { work(started, rounds, room); });
    threads.clear();
    MUST(sum == 1030);
    wait_on_atomic();
    throw_once();
    wait_for_time();
    std::shared_mutex shared;
    {
        std::shared_lock a(shared), b(shared, std::try_to_lock);
        MUST(b.owns_lock() && !shared.try_lock());
    }
    auto future = std::async(std::launch::async, [] { return 42; });
    MUST(future.get() == 42);
    return 0;
}
