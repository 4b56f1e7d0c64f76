// SPDX-License-Identifier: MIT
// blocks: transfer, total
// failed tries: accounts are locked in pairs, in whatever order avoids deadlock.
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 100;
};
Account alice, bob;

void transfer(Account &from, Account &to, int amount)
{
    std::scoped_lock hold(from.lock, to.lock);
    from.balance -= amount;
    to.balance += amount;
}

int total()
{
    std::scoped_lock hold(bob.lock, alice.lock);
    return alice.balance + bob.balance;
}

int main()
{
    int sums[2];
    std::thread a([&] { transfer(alice, bob, 30), sums[0] = total(); });
    std::thread b([&] { transfer(bob, alice, 50), sums[1] = total(); });
    a.join(), b.join();
    std::printf("%d %d\n", sums[0], sums[1]);
}
