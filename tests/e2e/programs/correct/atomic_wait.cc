// SPDX-License-Identifier: MIT
// blocks: publish
// The flag is raised when the message is complete.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> flag;
int message[2];

void publish()
{
    message[0] = 1;
    message[1] = 2;
    flag = 1;
}

void receive()
{
    flag.wait(0);
    std::printf("received %d\n", message[0] + message[1]);
}

int main()
{
    std::jthread a(receive);
    publish();
    flag.notify_all();
}
