// SPDX-License-Identifier: MIT
// The count is read and stored in one critical section.
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> counts{{1, 0}, {2, 0}, {3, 0}};

static void add(int key, int more)
{
    std::lock_guard<std::mutex> guard(lock);
    auto found = counts.find(key);
    int before = found == counts.end() ? 0 : found->second;
    counts[key] = before + more;
}

int main()
{
    std::thread one(add, 2, 1), other(add, 2, 3);
    one.join();
    other.join();
}
