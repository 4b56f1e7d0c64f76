// SPDX-License-Identifier: MIT
/* A pool hands out tasks with the promise of their result. Whoever drops the last reference to it
 * destroys it, and looks at what the worker has left there; in the end the pool itself goes with
 * its last reference, and waits for its worker. */
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

class Pool
{
    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    int done = 0;
    std::thread worker;

    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> held(lock);
            changed.wait(held, [this] { return !tasks.empty(); });
            std::function<void()> task = std::move(tasks.front());
            tasks.pop_front();
            held.unlock();
            if (!task)
                return;
            task();
            done++;
        }
    }

    void push(std::function<void()> task)
    {
        std::lock_guard<std::mutex> held(lock);
        tasks.push_back(std::move(task));
        changed.notify_one();
    }

  public:
    Pool() : worker(&Pool::work, this) {}

    ~Pool()
    {
        int known = done < 0 ? done : 0;
        push(nullptr);
        worker.join();
        printf("%d done\n", done + known);
    }

    template <typename F> std::future<int> submit(F what)
    {
        auto promise = std::make_shared<std::promise<int>>();
        std::future<int> result = promise->get_future();
        push([promise, what] { promise->set_value(what()); });
        return result;
    }
};

static std::mutex keeper;
static std::shared_ptr<Pool> pool = std::make_shared<Pool>();

int main()
{
    int sum = 0;
    for (int i = 1; i < 4; i++)
        sum += pool->submit([i] { return i * i; }).get();
    printf("%d\n", sum);
    std::lock_guard<std::mutex> held(keeper);
    pool.reset();
}
