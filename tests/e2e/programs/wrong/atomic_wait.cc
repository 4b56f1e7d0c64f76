// SPDX-License-Identifier: MIT
// blocks: publish
// The flag is raised before the message is complete.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> flag, message[2];

void publish()
{
    message[0] = 1;
    flag = 1;
    flag.notify_all();
    message[1] = 2;
}

void receive()
{
    flag.wait(0);
    int sum = message[0] + message[1];
    std::puts(sum > 0 ? "received" : "nothing");
}

int main()
{
    std::jthread a(receive), b(publish);
}
