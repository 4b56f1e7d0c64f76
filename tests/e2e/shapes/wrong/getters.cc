/* SPDX-License-Identifier: MIT */
/* The task itself asks in one function and acts in another, each with its lock.
 * finds: a block in buy */
#include <future>
#include <mutex>

static std::mutex door;
static int seats = 1;

static bool available()
{
    std::lock_guard<std::mutex> guard(door);
    if (seats > 0)
        return true;
    return false;
}

static void take()
{
    std::lock_guard<std::mutex> guard(door);
    seats--;
}

static void buy()
{
    if (available())
        take();
}

int main()
{
    auto one = std::async(std::launch::async, buy), other = std::async(std::launch::async, buy);
    one.get();
    other.get();
}
