// SPDX-License-Identifier: MIT
// blocks: locks
// Recursive and timed locks, and waits with a time limit.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;
std::recursive_timed_mutex deep;
std::mutex lock;
std::condition_variable ready;
int depth, rounds;
void dive(int n)
{
    if (n == 0 || !deep.try_lock_for(60s))
        return;
    depth++;
    dive(n - 1);
    deep.unlock();
}

void work(int n)
{
    dive(n);
    std::unique_lock hold(lock);
    rounds++;
    ready.notify_all();
}

int main()
{
    std::thread a(work, 2), b(work, 3);
    std::unique_lock hold(lock);
    bool all = ready.wait_for(hold, 60s, [] { return rounds == 2; });
    hold.unlock();
    a.join(), b.join();
    std::printf("%s, depth %d\n", all ? "all" : "not all", depth);
}
