// SPDX-License-Identifier: MIT
// blocks: count
// A semaphore that lets one in is a mutex.
#include <cstdio>
#include <semaphore>
#include <thread>

std::binary_semaphore door(1);
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
