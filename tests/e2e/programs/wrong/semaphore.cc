// SPDX-License-Identifier: MIT
// blocks: count
// A semaphore that lets two in is no mutex.
#include <cstdio>
#include <semaphore>
#include <thread>

std::counting_semaphore<2> door(2);
volatile int counter;

bool count()
{
    int before = counter;
    counter = before + 1;
    return counter == before + 1;
}

void work()
{
    door.acquire();
    count();
    door.release();
}

int main()
{
    {
        std::jthread a(work), b(work), c(work);
    }
    std::puts(counter > 0 ? "counted" : "not counted");
}
