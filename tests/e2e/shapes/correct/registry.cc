// SPDX-License-Identifier: MIT
// Looks with a shared lock, and once more with another one before it adds.
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct Registry {
    std::shared_timed_mutex lock;
    std::map<int, int> numbers;
    int next = 1;

    int id_of(int name)
    {
        {
            std::shared_lock<std::shared_timed_mutex> guard(lock);
            auto found = numbers.find(name);
            if (found != numbers.end())
                return found->second;
        }
        std::unique_lock<std::shared_timed_mutex> guard(lock);
        auto found = numbers.find(name);
        return found != numbers.end() ? found->second : numbers[name] = next++;
    }
};

int main()
{
    Registry registry;
    int one = 0, other = 0;
    std::thread first([&] { one = registry.id_of(7); }), second([&] { other = registry.id_of(7); });
    first.join();
    second.join();
    return one != other;
}
