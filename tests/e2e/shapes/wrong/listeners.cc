// SPDX-License-Identifier: MIT
// The list gets shorter between the look at its size and the look at its last entry, in the last
// round of a loop. finds: notify_all
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class listeners
{
    std::vector<int> list{1, 2, 3};
    std::mutex lock;

  public:
    size_t size()
    {
        std::lock_guard<std::mutex> guard(lock);
        return list.size();
    }
    int at(size_t i)
    {
        std::lock_guard<std::mutex> guard(lock);
        return list.at(i);
    }
    void remove_last()
    {
        std::lock_guard<std::mutex> guard(lock);
        list.pop_back();
    }
};

int notify_all(listeners &all)
{
    int sum = 0;
    for (size_t i = 0; i < all.size(); i++)
        sum += all.at(i);
    return sum;
}

int main()
{
    listeners all;
    std::thread notifier([&] { notify_all(all); }), remover([&] { all.remove_last(); });
    notifier.join();
    remover.join();
    puts("done");
}
