// SPDX-License-Identifier: MIT
// finds: finish
/* As the correct one, but who finishes a task looks at the count after it has changed it, to tell
 * somebody that it was the last one: two may find that theirs was. */
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> total{2};
static std::atomic<int> told{0};

__attribute__((noinline)) static void finish()
{
    --total;
    if (total == 0)
        ++told;
}

static void work(int *sum)
{
    for (int i = 0; i < 4; i++)
        *sum += i;
    finish();
}

int main()
{
    int sums[2] = {0, 0};
    std::thread first(work, &sums[0]), second(work, &sums[1]);
    first.join();
    second.join();
    printf("%d, told %d times\n", sums[0] + sums[1], told.load());
    return told.load() != 1;
}
