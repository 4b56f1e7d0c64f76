/* SPDX-License-Identifier: MIT */
/* Tickets are looked for, and then sold, a semaphore of C++20 being the lock of each. Who has to
 * wait for that is at work all the same.
 * flags: -std=c++20
 * finds: a block in serve */
#include <cstdio>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> guard(1);
static int tickets = 2, sold;

static bool is_open()
{
    guard.acquire();
    bool any = tickets > 0;
    guard.release();
    return any;
}

static void sell()
{
    guard.acquire();
    tickets--;
    sold++;
    guard.release();
}

static void serve()
{
    if (is_open())
        sell();
}

int main()
{
    std::thread a(serve), b(serve), c(serve);
    a.join();
    b.join();
    c.join();
    std::printf("sold %d of 2\n", sold);
}
