// SPDX-License-Identifier: MIT
// blocks: withdraw
// The operation that changes the atomic also returns what it was.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> balance(100);

bool withdraw(int amount)
{
    return balance.fetch_sub(amount) >= amount;
}

int main()
{
    std::thread a(withdraw, 30), b(withdraw, 40);
    a.join();
    b.join();
    std::printf("%d left\n", balance.load());
}
