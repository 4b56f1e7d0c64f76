/* SPDX-License-Identifier: MIT */
/* A single consumer may take what it has seen: others only add. */
#include <mutex>
#include <thread>

static std::mutex door;
static int items, taken;

static bool any()
{
    std::lock_guard<std::mutex> guard(door);
    return items > 0;
}

static void add()
{
    std::lock_guard<std::mutex> guard(door);
    items++;
}

static void take()
{
    std::lock_guard<std::mutex> guard(door);
    items--;
    taken++;
}

static void consume()
{
    for (int i = 0; i < 3; i++)
        if (any())
            take();
}

int main()
{
    std::thread one(add), other(add), consumer(consume);
    one.join();
    other.join();
    consumer.join();
}
