// async, promises, packaged tasks, shared futures, broken promises, deferred calls.
#include <chrono>
#include <cstdio>
#include <future>
#include <numeric>
#include <thread>
#include <vector>

static long sum(long from, long to)
{
    if (to - from < 50) {
        long total = 0;
        for (long i = from; i < to; i++)
            total += i;
        return total;
    }
    auto left = std::async(std::launch::async, sum, from, (from + to) / 2);
    long right = sum((from + to) / 2, to);
    return left.get() + right;
}

int main()
{
    std::promise<int> gives;
    std::shared_future<int> shared = gives.get_future().share();
    std::vector<std::future<int>> readers;
    for (int i = 0; i < 3; i++)
        readers.push_back(std::async(std::launch::async, [shared, i] { return shared.get() + i; }));
    std::packaged_task<int(int)> task([](int n) { return n * n; });
    std::future<int> squared = task.get_future();
    std::thread(std::move(task), 12).detach();
    bool early = shared.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
    std::thread([&gives] { gives.set_value_at_thread_exit(100); }).join();
    int total = std::accumulate(readers.begin(), readers.end(), 0,
                                [](int n, auto &f) { return n + f.get(); });
    auto lazy = std::async(std::launch::deferred, [] { return 9; });
    std::future<int> broken = std::promise<int>().get_future();
    try {
        broken.get();
    } catch (const std::future_error &error) {
        total += error.code() == std::future_errc::broken_promise ? 1000 : 0;
    }
    std::printf("%d %d %d %d %ld\n", early, total, squared.get(), lazy.get(), sum(0, 400));
}
