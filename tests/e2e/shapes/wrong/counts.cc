// SPDX-License-Identifier: MIT
// finds: a block in add
// A count is read in one critical section and stored in another, which walks through the same tree
// once more: that makes the count no newer. Nothing shows it in what the program does.
#include <map>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::map<int, int> counts{{1, 0}, {2, 0}, {3, 0}};

static int count_of(int key)
{
    std::lock_guard<std::mutex> guard(lock);
    auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
}

static void set_count(int key, int count)
{
    std::lock_guard<std::mutex> guard(lock);
    counts[key] = count;
}

static void add(int key, int more)
{
    set_count(key, count_of(key) + more);
}

int main()
{
    std::thread one(add, 2, 1), other(add, 2, 3);
    one.join();
    other.join();
}
