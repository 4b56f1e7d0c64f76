/* SPDX-License-Identifier: MIT */
/* Work is taken in one critical section, and counted in another. */
#include <deque>
#include <mutex>
#include <thread>

static std::mutex door;
static std::deque<int> guests;
static int served;

static void serve()
{
    for (;;) {
        int guest;
        {
            std::lock_guard<std::mutex> guard(door);
            if (guests.empty())
                return;
            guest = guests.front();
            guests.pop_front();
        }
        std::lock_guard<std::mutex> guard(door);
        served += guest;
    }
}

int main()
{
    for (int i = 1; i <= 4; i++)
        guests.push_back(i);
    std::thread one(serve), other(serve);
    one.join();
    other.join();
    return served != 10;
}
