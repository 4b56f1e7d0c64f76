/* SPDX-License-Identifier: MIT */
/* A pool whose workers hand results over by futures, and count the tasks that run. */
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable wake, idle;
static std::queue<std::function<void()>> tasks;
static int running;
static bool stopping, waiting;

static void worker()
{
    std::unique_lock<std::mutex> hold(lock);
    for (;;) {
        if (waiting && tasks.empty() && running == 0)
            idle.notify_all();
        wake.wait(hold, [] { return !tasks.empty() || stopping; });
        if (stopping)
            return;
        std::function<void()> task = std::move(tasks.front());
        tasks.pop();
        running++;
        hold.unlock();
        task();
        hold.lock();
        running--;
    }
}

static void add(std::function<void()> task)
{
    {
        std::lock_guard<std::mutex> hold(lock);
        tasks.push(std::move(task));
    }
    wake.notify_one();
}

int main()
{
    std::thread first(worker), second(worker);
    auto result = std::make_shared<std::promise<int>>();
    std::future<int> future = result->get_future();
    add([] {});
    add([result] { result->set_value(42); });
    int value = future.get();
    {
        std::unique_lock<std::mutex> hold(lock);
        waiting = true;
        idle.wait(hold, [] { return tasks.empty() && running == 0; });
        stopping = true;
    }
    wake.notify_all();
    first.join();
    second.join();
    return value != 42;
}
