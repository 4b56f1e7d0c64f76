// SPDX-License-Identifier: MIT
// blocks: address
// Host and port are read together under a shared lock.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
int host, port;

void move_to(int new_host)
{
    std::unique_lock hold(lock);
    port = new_host + 1000;
    host = new_host;
}

int address()
{
    std::shared_lock hold(lock);
    return port - host;
}

int main()
{
    auto work = [](int to) { move_to(to), address(); };
    std::thread a(work, 1), b(work, 2);
    a.join(), b.join();
    std::printf("%d\n", address());
}
