// SPDX-License-Identifier: MIT
// A block of one event cannot be violated: entry and exit of calls that have no more are not
// recorded. Without optimisation std::mutex::lock is a call, in which anything may happen.
// FLAGS: -pthread
// LEVELS: -O1 -O2 -O3
#include <cstdio>
#include <mutex>

static int level = 3;
static std::mutex mutex;

static int getter(int n)
{
    return n > 2 ? level : n;
}
// NOT: enter.* getter
// LOG: ^load4 level in getter

static void setter(int n)
{
    level = n;
}
// NOT: enter.* setter

static void lock()
{
    mutex.lock();
}
// NOT: enter.* lock

static int twice(int n)
{
    return getter(n) + getter(n + 1);
}
// LOG: ^enter1 twice at

static int again(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += getter(n);
    return sum;
}
// LOG: ^enter1 again at

static int either(int n)
{
    if (n > 2)
        return level;
    setter(n);
    return getter(3);
}
// LOG: ^enter1 either at

static int calls(int n)
{
    return std::printf("%d\n", getter(n));
}
// LOG: ^enter1 calls at

int main()
{
    lock();
    setter(5);
    mutex.unlock();
    return twice(3) + again(4) + either(2) + calls(3) == 0;
}
