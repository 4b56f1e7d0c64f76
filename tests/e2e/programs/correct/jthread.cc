// SPDX-License-Identifier: MIT
// blocks: locks
// Threads that join by themselves, one of them asked to stop.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
std::atomic<bool> started;
int steps, stops;

void work(std::stop_token stop, int n)
{
    for (int i = 0; i < n; i++) {
        std::lock_guard hold(lock);
        steps++;
    }
    started = true;
    started.notify_one();
    while (n == 0 && !stop.stop_requested())
        std::this_thread::yield();
    std::lock_guard hold(lock);
    stops++;
}

int main()
{
    {
        std::jthread a(work, 2), b(work, 3), c(work, 0);
        started.wait(false);
    }
    std::printf("%d steps, %d stops\n", steps, stops);
}
