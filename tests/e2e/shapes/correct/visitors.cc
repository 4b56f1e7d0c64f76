/* SPDX-License-Identifier: MIT */
/* Threads that enter and leave mean to be seen in between. */
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex door;
static int inside, most;

static void enter()
{
    std::lock_guard<std::mutex> hold(door);
    if (++inside > most)
        most = inside;
}

static void leave()
{
    std::lock_guard<std::mutex> hold(door);
    inside--;
}

static void visit()
{
    enter();
    leave();
}

int main()
{
    std::thread one(visit), other(visit);
    one.join();
    other.join();
    printf("at most %d\n", most);
}
