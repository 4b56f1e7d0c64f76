// SPDX-License-Identifier: MIT
// blocks: set_up
// The latch is opened before all is set up.
#include <atomic>
#include <cstdio>
#include <latch>
#include <thread>

std::latch ready(1);
std::atomic<int> width, height;

void set_up()
{
    width = 640;
    ready.count_down();
    height = 480;
}

void work()
{
    ready.wait();
    int area = width * height;
    std::puts(area >= 0 ? "drawn" : "not drawn");
}

int main()
{
    std::jthread a(work), b(set_up);
}
