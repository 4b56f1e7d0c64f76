// SPDX-License-Identifier: MIT
// blocks: print
// The pointer is loaded twice; in between it may be another one.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Pair {
    int a, b;
};
std::mutex lock;
std::shared_ptr<Pair> current;

void set(int x)
{
    auto fresh = std::make_shared<Pair>(Pair{x, -x});
    std::lock_guard hold(lock);
    current.swap(fresh);
}

std::shared_ptr<Pair> get()
{
    std::lock_guard hold(lock);
    return current;
}

int print()
{
    return get()->a + get()->b;
}

int main()
{
    auto work = [](int x) { set(x), print(); };
    std::thread one(work, 1), two(work, 2);
    one.join(), two.join();
    std::printf("sum %d\n", print());
}
