// SPDX-License-Identifier: MIT
// blocks: Log::add
// The index of what was added is asked for in a second critical section.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Log
{
    std::mutex lock;
    std::vector<int> lines;

  public:
    void push(int line)
    {
        std::lock_guard<std::mutex> hold(lock);
        lines.push_back(line);
    }
    std::size_t size()
    {
        std::lock_guard<std::mutex> hold(lock);
        return lines.size();
    }
    std::size_t add(int line)
    {
        push(line);
        return size() - 1;
    }
};

int main()
{
    Log log;
    std::thread a([&] { log.add(1); }), b([&] { log.add(2); });
    a.join();
    b.join();
    std::printf("%zu lines\n", log.size());
}
