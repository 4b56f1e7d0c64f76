// SPDX-License-Identifier: MIT
// blocks: add
// A block is left by an exception; what follows is not part of it.
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

void work(int amount)
{
    for (int i = 0; i < 2; i++)
        try {
            add(amount);
        } catch (const std::exception &) {
            look();
        }
}

int main()
{
    std::thread a(work, 20), b(work, 30);
    a.join(), b.join();
    std::printf("spent %d\n", look());
}
