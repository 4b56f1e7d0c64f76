// flags: -std=c++20
// jthread, stop tokens and callbacks, condition_variable_any that is woken by a stop request.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
    std::mutex lock;
    std::condition_variable_any changed;
    bool never = false;
    int stopped = 0, called = 0;
    {
        std::jthread one([&](std::stop_token token) {
            std::unique_lock guard(lock);
            stopped += !changed.wait(guard, token, [&] { return never; });
        });
        std::jthread two([&](std::stop_token token) {
            std::unique_lock guard(lock);
            stopped += !changed.wait(guard, token, [&] { return never; });
        });
        std::stop_callback callback(one.get_stop_token(), [&] { called++; });
    }
    std::stop_source source;
    std::jthread asks([&] { source.request_stop(); });
    std::stop_callback late(source.get_token(), [&] { called += 10; });
    asks.join();
    std::printf("%d stopped, %d called, %d\n", stopped, called, source.request_stop());
}
