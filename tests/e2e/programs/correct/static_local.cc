// SPDX-License-Identifier: MIT
// blocks: Counter::next
// A static local object is made once, by the thread that comes first.
#include <cstdio>
#include <mutex>
#include <thread>

struct Counter {
    std::mutex lock;
    int value;
    Counter() : value(100) {}
    int next()
    {
        std::lock_guard<std::mutex> hold(lock);
        value++;
        return value;
    }
};

Counter &counter()
{
    static Counter the_counter;
    return the_counter;
}

int count()
{
    return counter().next();
}

int main()
{
    std::thread a(count), b(count);
    a.join();
    b.join();
    std::printf("%d\n", count());
}
