// SPDX-License-Identifier: MIT
// blocks: withdraw
// An atomic is changed by one operation and looked at by another.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> balance(100);

bool withdraw(int amount)
{
    balance -= amount;
    if (balance.load() >= 0)
        return true;
    balance += amount;
    return false;
}

int main()
{
    std::thread a(withdraw, 30), b(withdraw, 40);
    a.join();
    b.join();
    std::printf("%d left\n", balance.load());
}
