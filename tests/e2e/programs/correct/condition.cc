// SPDX-License-Identifier: MIT
// blocks: locks
// A queue of strings between two threads.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

std::mutex lock;
std::condition_variable more;
std::deque<std::string> queue;

void produce()
{
    for (const char *word : {"one", "two", "three", ""}) {
        std::lock_guard hold(lock);
        queue.emplace_back(word);
        more.notify_one();
    }
}

int main()
{
    std::thread producer(produce);
    for (std::string word = "words:"; !word.empty();) {
        std::printf("%s ", word.c_str());
        std::unique_lock hold(lock);
        more.wait(hold, [] { return !queue.empty(); });
        word = queue.front();
        queue.pop_front();
    }
    producer.join();
    std::puts("end");
}
