/* SPDX-License-Identifier: MIT */
/* Tickets are looked for, and then sold if they are still there, a semaphore of C++20 being the
 * lock of each: to give it back is no act. flags: -std=c++20 */
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

static bool sell()
{
    guard.acquire();
    bool any = tickets > 0;
    if (any) {
        tickets--;
        sold++;
    }
    guard.release();
    return any;
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
