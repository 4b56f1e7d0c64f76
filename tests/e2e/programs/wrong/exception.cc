// SPDX-License-Identifier: MIT
// blocks: spend
// The block goes on after an exception was caught in it.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex lock;
int spent;

void add(int amount)
{
    std::lock_guard<std::mutex> hold(lock);
    spent += amount;
    if (amount > 10)
        throw std::runtime_error("too much");
}

int look()
{
    std::lock_guard<std::mutex> hold(lock);
    return spent;
}

void spend(int amount)
{
    try {
        add(amount);
    } catch (const std::exception &) {
        look();
    }
}

int main()
{
    std::thread a(spend, 20), b(spend, 30);
    a.join(), b.join();
    std::printf("spent %d\n", look());
}
