// flags: -std=c++20
// latch, barrier with a completion function, counting semaphores, atomic wait and notify.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int main()
{
    constexpr int count = 4;
    std::latch started(count), over(1);
    std::counting_semaphore<count> slots(2);
    std::binary_semaphore ball(0);
    std::atomic<int> stage{0}, inside{0}, most{0};
    int completed = 0;
    auto complete = [&completed]() noexcept { completed++; };
    std::barrier meeting(count, complete);
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back([&, i] {
            started.arrive_and_wait();
            for (int round = 0; round < 10; round++)
                meeting.arrive_and_wait();
            slots.acquire();
            int now = ++inside, seen = most;
            while (seen < now && !most.compare_exchange_weak(seen, now)) {
            }
            inside--;
            slots.release();
            while (int at = stage.load())
                if (at == i + 1)
                    break;
                else
                    stage.wait(at);
            over.wait();
            if (i == 0)
                ball.release();
        });
    started.wait();
    ball.try_acquire();
    over.count_down();
    ball.acquire();
    threads.clear();
    std::printf("%d completed, %d\n", completed, most <= 2);
}
