// flags: -std=c++17
// shared_mutex, timed and recursive mutexes, condition_variable_any, scoped_lock of many.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
using namespace std::chrono_literals;

int main()
{
    std::shared_timed_mutex shared;
    std::recursive_timed_mutex recursive;
    std::timed_mutex timed;
    std::mutex first, second;
    std::condition_variable_any changed;
    int written = 0, read = 0, timeouts = 0, turn = 0;
    std::vector<std::thread> threads;
    timed.lock();
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            for (int n = 0; n < 20; n++) {
                std::unique_lock<std::shared_timed_mutex> writer(shared);
                written++;
                writer.unlock();
                std::shared_lock<std::shared_timed_mutex> reader(shared, 1000s);
                std::scoped_lock both(i % 2 ? first : second, i % 2 ? second : first);
                read += written > 0;
            }
            {
                std::scoped_lock twice(recursive);
                std::scoped_lock again(recursive);
                timeouts += !timed.try_lock_for(1ms) &&
                            !timed.try_lock_until(std::chrono::system_clock::now() - 1s);
            }
            std::unique_lock<std::shared_timed_mutex> guard(shared);
            changed.wait_for(guard, 1000s, [&] { return turn == i; });
            turn++, changed.notify_all();
        });
    for (std::thread &thread : threads)
        thread.join();
    timed.unlock();
    std::printf("%d %d %d %d\n", written, read, timeouts, turn);
}
