// SPDX-License-Identifier: MIT
// The loop works on a copy of the list, which is made in one critical section.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class listeners
{
    std::vector<int> list{1, 2, 3};
    std::mutex lock;

  public:
    std::vector<int> all()
    {
        std::lock_guard<std::mutex> guard(lock);
        return list;
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
    for (int entry : all.all())
        sum += entry;
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
