// SPDX-License-Identifier: MIT
// blocks: sum
// The pointer is loaded once, and keeps what it points to.
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

int sum(const Pair &pair)
{
    return pair.a + pair.b;
}

int main()
{
    auto work = [](int x) { set(x), sum(*get()); };
    std::thread one(work, 1), two(work, 2);
    one.join(), two.join();
    std::printf("sum %d\n", sum(*get()));
}
