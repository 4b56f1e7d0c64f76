// SPDX-License-Identifier: MIT
// blocks: Tally::add
// A thread-local object gives what it has when its thread ends.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int all;

struct Tally {
    int mine = 0;
    void add(int n)
    {
        mine += n;
        mine += n;
    }
    ~Tally()
    {
        std::lock_guard<std::mutex> hold(lock);
        all += mine;
    }
};
thread_local Tally tally;

int main()
{
    auto work = [](int n) {
        tally.add(n);
        tally.add(n);
    };
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    std::printf("all %d\n", all);
}
