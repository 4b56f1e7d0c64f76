// SPDX-License-Identifier: MIT
// A pool of threads that takes a job in one critical section and counts itself as running in the
// next: who asks in between is told that the pool is idle. finds: Pool
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool
{
    std::queue<std::function<void()>> jobs;
    std::vector<std::thread> threads;
    std::mutex lock;
    std::condition_variable changed;
    bool ends = false;
    int running = 0;

    void work()
    {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock<std::mutex> holds(lock);
                changed.wait(holds, [this] { return ends || !jobs.empty(); });
                if (jobs.empty())
                    return;
                job = std::move(jobs.front());
                jobs.pop();
            }
            count(1);
            job();
            count(-1);
        }
    }

    void count(int more)
    {
        std::lock_guard<std::mutex> holds(lock);
        running += more;
    }

  public:
    explicit Pool(int size)
    {
        for (int i = 0; i < size; i++)
            threads.emplace_back([this] { work(); });
    }

    void submit(std::function<void()> job)
    {
        {
            std::lock_guard<std::mutex> holds(lock);
            jobs.push(std::move(job));
        }
        changed.notify_one();
    }

    bool is_idle()
    {
        std::lock_guard<std::mutex> holds(lock);
        return jobs.empty() && running == 0;
    }

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> holds(lock);
            ends = true;
        }
        changed.notify_all();
        for (std::thread &thread : threads)
            thread.join();
    }
};

int main()
{
    std::atomic<int> done{0};
    Pool pool(2);
    for (int i = 0; i < 3; i++)
        pool.submit([&] { done++; });
    while (!pool.is_idle())
        std::this_thread::yield();
    std::printf("%d done\n", done.load());
}
