/* SPDX-License-Identifier: MIT */
/* Threads that sign two lists may come in another order on the second: the same words are printed.
 */
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

static std::mutex desk;
static std::string first, second;

static void sign(const char *name)
{
    {
        std::lock_guard<std::mutex> hold(desk);
        first += name;
    }
    std::lock_guard<std::mutex> hold(desk);
    second += name;
}

int main()
{
    std::thread ann(sign, "a "), bob(sign, "b ");
    ann.join();
    bob.join();
    printf("%s%s\n", first.c_str(), second.c_str());
}
