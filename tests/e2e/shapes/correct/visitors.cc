/* SPDX-License-Identifier: MIT */
/* Threads that enter and leave mean to be seen in between, and those that only count or note
 * something twice do no harm, though the program may print something else. */
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

static std::mutex door, desk;
static int inside, most;
static std::string first, second;

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

static void sign(const char *name)
{
    {
        std::lock_guard<std::mutex> hold(desk);
        first += name;
    }
    std::lock_guard<std::mutex> hold(desk);
    second += name;
}

int main()
{
    std::thread one(visit), other(visit), ann(sign, "a "), bob(sign, "b ");
    one.join();
    other.join();
    ann.join();
    bob.join();
    printf("at most %d, %s%s\n", most, first.c_str(), second.c_str());
}
