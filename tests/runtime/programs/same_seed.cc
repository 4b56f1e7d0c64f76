// SPDX-License-Identifier: MIT
// Latches, barriers, semaphores and atomic waits in threads that come and go: the same seed must
// give the same run, and the same addresses.
#include <atomic>
#include <barrier>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "contract/abi.h"

static std::atomic<int> value;
static std::atomic<bool> flag;
static uint64_t address;

static void store(const void *pointer)
{
    static ser_abi_site here = {.line = __LINE__, .file = __FILE__, .function = __func__};
    __seriatim_store8(&address, reinterpret_cast<uint64_t>(pointer), &here);
}

// Where memory comes from shows what was given back before.
static void allocate()
{
    for (size_t size = 16; size < 600; size *= 2)
        store(std::make_unique<char[]>(size).get());
}

int main()
{
    for (int round = 0; round < 3; round++) {
        std::latch all(4), go(1);
        std::barrier meeting(4);
        std::counting_semaphore<4> places(2);
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&, i] {
                go.wait();
                all.count_down();
                for (int j = 0; j < 5; j++) {
                    places.acquire();
                    allocate();
                    places.release();
                    meeting.arrive_and_wait();
                }
                for (int now = value; now % 4 != i; now = value)
                    value.wait(now);
                value++;
                value.notify_all();
            });
        go.count_down();
        all.wait();
        std::jthread([&] {
            flag = true;
            flag.notify_one();
        }).detach();
        flag.wait(false);
        threads.clear();
        flag = false;
        allocate();
    }
}
