// SPDX-License-Identifier: MIT
// blocks: publish, sum, count
// A semaphore of one is a mutex; the next one at the same address begins with zero and is a
// message: what is left of the first lets nobody in.
#include <cstdio>
#include <new>
#include <semaphore>
#include <thread>

using semaphore = std::counting_semaphore<4>;
alignas(semaphore) unsigned char place[sizeof(semaphore)];
semaphore *gate;
volatile int first, second, counter;

[[gnu::noinline]] void count()
{
    int before = counter;
    counter = before + 1;
}

[[gnu::noinline]] void publish()
{
    first = 1;
    second = 2;
}

[[gnu::noinline]] int sum()
{
    return first + second;
}

void enter()
{
    gate->acquire();
    count();
    gate->release();
}

void produce()
{
    publish();
    gate->release();
}

void consume(int *result)
{
    gate->acquire();
    *result = sum();
}

int main()
{
    int result = 0;
    gate = new (place) semaphore(1);
    {
        std::jthread a(enter), b(enter);
    }
    gate->~semaphore();
    gate = new (place) semaphore(0);
    {
        std::jthread a(produce), b(consume, &result);
    }
    std::printf("%d %d\n", result, counter);
}
