/* SPDX-License-Identifier: MIT */
/* A seat that is free is taken under the same lock, but not at the same time.
 * finds: a block in */
#include <mutex>
#include <thread>

static std::mutex door;
static int seats = 2;

static void book()
{
    for (int i = 0; i < 2; i++) {
        bool any;
        {
            std::lock_guard<std::mutex> guard(door);
            any = seats > 0;
        }
        if (any) {
            std::lock_guard<std::mutex> guard(door);
            seats--;
        }
    }
}

int main()
{
    std::thread one(book), other(book);
    one.join();
    other.join();
}
