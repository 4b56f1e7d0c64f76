// SPDX-License-Identifier: MIT
// blocks: step
// In each round all read the old row, and then write the new one.
#include <barrier>
#include <cstdio>
#include <thread>

constexpr int threads = 3, rounds = 2;
int row[2][threads] = {{1, 2, 3}};
std::barrier sync_point(threads);

void step(const int *from, int *to, int i)
{
    to[i] = from[(i + 1) % threads] + from[(i + 2) % threads];
}

void work(int i)
{
    for (int round = 0; round < rounds; round++) {
        step(row[round % 2], row[1 - round % 2], i);
        sync_point.arrive_and_wait();
    }
}

int main()
{
    {
        std::jthread a(work, 0), b(work, 1), c(work, 2);
    }
    std::printf("%d %d %d\n", row[0][0], row[0][1], row[0][2]);
}
