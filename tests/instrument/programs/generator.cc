// SPDX-License-Identifier: MIT
// Coroutines are recorded, but for their entry and exit.
// FLAGS: -std=c++20
#include <cstdio>
#include <version>
#if __has_include(<coroutine>) && defined(__cpp_lib_coroutine)
#include <coroutine>

static int made;

struct Numbers {
    struct promise_type {
        int current = 0;
        Numbers get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int value)
        {
            current = value;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

static Numbers count(int to)
{
    for (int i = 0; i < to; i++) {
        made++;
        co_yield i;
    }
}

int main()
{
    Numbers numbers = count(4);
    int sum = 0;
    for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
        sum += numbers.handle.promise().current;
    numbers.handle.destroy();
    std::printf("%d %d\n", sum, made);
}
#else
int made;
int main()
{
    made++;
    std::printf("no coroutines\n");
}
#endif
// LOG: ^store4 made in
