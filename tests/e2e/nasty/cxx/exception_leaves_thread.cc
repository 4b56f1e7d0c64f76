// An exception that leaves a thread: std::terminate, its handler, and a chosen exit status.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

[[noreturn]] static void last_words()
{
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const std::exception &error) {
        std::printf("terminated by: %s\n", error.what());
    }
    std::fflush(stdout);
    std::_Exit(77);
}

int main()
{
    std::set_terminate(last_words);
    std::thread other([] {
        for (;;)
            std::this_thread::yield();
    });
    std::thread thrower([] { throw std::runtime_error("nobody catches me"); });
    thrower.join();
    other.join();
}
