// C++20 coroutines: generators, and a task that is resumed in other threads.
// flags: -std=c++20 -D__cpp_impl_coroutine=201902L
#include <coroutine>
#include <cstdio>
#include <thread>
#include <utility>

struct generator {
    struct promise_type {
        int value = 0;
        generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) noexcept
        {
            return value = next, std::suspend_always();
        }
        void return_void() {}
        void unhandled_exception() { value = -1; }
    };
    std::coroutine_handle<promise_type> handle;
    generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    generator(generator &&other) : handle(std::exchange(other.handle, {})) {}
    ~generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next() { return handle.resume(), !handle.done(); }
};

static generator numbers(int limit)
{
    for (int i = 1;; i++) {
        if (i > limit)
            throw i;
        co_yield i *i;
    }
}

int main()
{
    generator shared = numbers(20);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        std::thread([&] { sum += shared.next() ? shared.handle.promise().value : 1000; }).join();
    std::thread one([] {
        for (generator own = numbers(1000); own.next();) {
        }
    });
    std::thread two([] {
        for (generator own = numbers(1000); own.next();) {
        }
    });
    one.join(), two.join();
    while (shared.next())
        sum += shared.handle.promise().value;
    std::printf("%d, last %d\n", sum, shared.handle.promise().value);
}
