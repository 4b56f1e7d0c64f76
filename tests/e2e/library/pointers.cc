// SPDX-License-Identifier: MIT
// Shared pointers that threads exchange: one of std::atomic, and one of the functions before C++20.
// A compare-exchange that fails looks again; what is loaded and stored later may be lost.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> modern{std::make_shared<int>(0)};
static std::shared_ptr<int> classic = std::make_shared<int>(0);

static void wrong_member()
{
    auto old = modern.load();
    modern.store(std::make_shared<int>(*old + 1));
}

static void wrong_function()
{
    auto old = std::atomic_load(&classic);
    std::atomic_store(&classic, std::make_shared<int>(*old + 1));
}

static void correct_member()
{
    auto old = modern.load();
    while (!modern.compare_exchange_weak(old, std::make_shared<int>(*old + 1)))
        ;
}

static void correct_function()
{
    auto old = std::atomic_load(&classic);
    while (!std::atomic_compare_exchange_weak(&classic, &old, std::make_shared<int>(*old + 1)))
        ;
}

int main(int, char **arguments)
{
    static const struct {
        const char *name;
        void (*work)();
    } all[] = {{"wrong_member", wrong_member},
               {"wrong_function", wrong_function},
               {"correct_member", correct_member},
               {"correct_function", correct_function}};
    for (const auto &chosen : all)
        if (std::strcmp(chosen.name, arguments[1]) == 0) {
            std::thread one(chosen.work), two(chosen.work);
            one.join(), two.join();
        }
    std::printf("%d\n", *modern.load() + *std::atomic_load(&classic));
}
