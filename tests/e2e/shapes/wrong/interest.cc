// SPDX-License-Identifier: MIT
// Virtual functions, called in a loop: what others have set between get() and set() is lost.
// finds: a block in interest
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class account
{
    std::mutex lock;
    int money = 100;

  public:
    virtual ~account() = default;
    virtual int get()
    {
        std::lock_guard<std::mutex> guard(lock);
        return money;
    }
    virtual void set(int other)
    {
        std::lock_guard<std::mutex> guard(lock);
        money = other;
    }
};

static std::vector<std::unique_ptr<account>> all;

static void interest(int more)
{
    for (auto &each : all)
        each->set(each->get() + more);
}

int main()
{
    for (int i = 0; i < 2; i++)
        all.emplace_back(new account);
    std::thread one(interest, 1), other(interest, 2);
    one.join();
    other.join();
}
