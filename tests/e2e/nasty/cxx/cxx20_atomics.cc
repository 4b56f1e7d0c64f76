// flags: -std=c++20 -mcx16 -latomic
// atomic_ref, atomic floating point, atomic flags, shared_ptr in atomics, 16-byte atomics.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>
struct alignas(16) pair {
    long left, right;
};

int main()
{
    int plain = 0;
    std::atomic<pair> both{pair{0, 0}};
    std::atomic_flag spin = ATOMIC_FLAG_INIT;
    long guarded = 0, torn = 0;
    std::shared_ptr<int> pointer = std::make_shared<int>(0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&] {
            for (int n = 0; n < 200; n++) {
                std::atomic_ref<int>(plain).fetch_add(1);
                pair old = both.load();
                while (!both.compare_exchange_weak(old, pair{old.left + 1, old.right - 1})) {
                }
                while (spin.test_and_set(std::memory_order_acquire))
                    std::this_thread::yield();
                guarded++, torn += old.left != -old.right;
                spin.clear(std::memory_order_release);
                auto now = std::atomic_load(&pointer);
                while (!std::atomic_compare_exchange_weak(&pointer, &now,
                                                          std::make_shared<int>(*now + 1))) {
                }
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    std::printf("%d %ld %ld %d %ld\n", plain, both.load().left, guarded, *pointer, torn);
}
