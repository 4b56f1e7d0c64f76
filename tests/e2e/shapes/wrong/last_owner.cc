// SPDX-License-Identifier: MIT
// finds: a block in take
/* The last one who has a reference prints what is left. But what is taken is looked at and changed
 * in two sections: two may take the same. */
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Stock {
    std::mutex lock;
    int left = 3;

    int get()
    {
        std::lock_guard<std::mutex> held(lock);
        return left;
    }

    void set(int value)
    {
        std::lock_guard<std::mutex> held(lock);
        left = value;
    }

    ~Stock() { printf("%d left\n", left); }
};

__attribute__((noinline)) static void take(std::shared_ptr<Stock> stock)
{
    int left = stock->get();
    stock->set(left - 1);
}

int main()
{
    auto stock = std::make_shared<Stock>();
    std::thread first(take, stock), second(take, stock);
    stock.reset();
    first.join();
    second.join();
}
