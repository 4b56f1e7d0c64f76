// SPDX-License-Identifier: MIT
/* Tasks that are not done yet are counted by an atomic variable, up before they are given away and
 * down when they are done: nobody looks at what it was before, so that the order does not matter.
 */
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable done;
static std::atomic<int> total{0};
static std::atomic<bool> waiting{false};

static void finish(int tasks)
{
    for (int i = 0; i < tasks; i++) {
        std::lock_guard<std::mutex> held(lock);
        --total;
        if (waiting)
            done.notify_one();
    }
}

int main()
{
    total += 2;
    std::thread first(finish, 2);
    ++total;
    std::thread second(finish, 1);
    waiting = true;
    std::unique_lock<std::mutex> held(lock);
    done.wait(held, [] { return total == 0; });
    waiting = false;
    held.unlock();
    printf("%d left\n", total.load());
    first.join();
    second.join();
}
