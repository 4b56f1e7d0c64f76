// SPDX-License-Identifier: MIT
// blocks: ticket
// Tasks draw numbers in two steps.
#include <cstdio>
#include <future>
#include <mutex>

std::mutex lock;
int next_ticket;

int ticket()
{
    {
        std::lock_guard hold(lock);
        next_ticket++;
    }
    std::lock_guard hold(lock);
    return next_ticket;
}

int main()
{
    auto a = std::async(std::launch::async, ticket);
    auto b = std::async(std::launch::async, ticket);
    int sum = a.get() + b.get();
    std::printf("%d tickets, %s\n", next_ticket, sum >= 3 ? "used" : "unused");
}
