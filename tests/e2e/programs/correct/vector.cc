// SPDX-License-Identifier: MIT
// blocks: Log::add
// The index of what was added comes from the same critical section.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Log
{
    std::mutex lock;
    std::vector<int> lines;

  public:
    std::size_t size()
    {
        std::lock_guard<std::mutex> hold(lock);
        return lines.size();
    }
    std::size_t add(int line)
    {
        std::lock_guard<std::mutex> hold(lock);
        lines.push_back(line);
        return lines.size() - 1;
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
