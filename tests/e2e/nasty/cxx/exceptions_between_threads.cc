// exception_ptr, nested exceptions and futures carry exceptions from thread to thread.
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::string story(const std::exception &error)
{
    try {
        std::rethrow_if_nested(error);
        return error.what();
    } catch (const std::exception &inner) {
        return error.what() + (" < " + story(inner));
    }
}

static void fail(int depth)
{
    try {
        if (depth == 0)
            throw std::logic_error("bottom");
        fail(depth - 1);
    } catch (...) {
        std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
    }
}

int main()
{
    std::exception_ptr kept;
    std::thread([&kept] {
        try {
            fail(3);
        } catch (...) {
            kept = std::current_exception();
        }
    }).join();
    std::vector<std::future<std::string>> stories;
    for (int i = 0; i < 4; i++)
        stories.push_back(std::async(std::launch::async, [kept]() -> std::string {
            try {
                std::rethrow_exception(kept);
            } catch (const std::exception &error) {
                return story(error);
            }
        }));
    for (auto &one : stories)
        std::puts(one.get().c_str());
    auto thrown = std::async(std::launch::async, [] { fail(0); });
    try {
        thrown.get();
    } catch (const std::exception &error) {
        std::puts(story(error).c_str());
    }
}
