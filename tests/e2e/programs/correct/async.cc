// SPDX-License-Identifier: MIT
// blocks: ticket
// Tasks draw numbers; futures and a promise bring them home.
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

std::mutex lock;
int next_ticket;

int ticket()
{
    std::lock_guard hold(lock);
    next_ticket++;
    return next_ticket;
}

int main()
{
    std::promise<int> promise;
    auto a = std::async(std::launch::async, ticket);
    auto b = std::async(std::launch::deferred, ticket);
    std::packaged_task<int()> task(ticket);
    auto c = task.get_future(), d = promise.get_future();
    std::thread one(std::move(task)), two([&] { promise.set_value(ticket()); });
    std::printf("sum %d\n", a.get() + b.get() + c.get() + d.get());
    one.join();
    two.join();
}
