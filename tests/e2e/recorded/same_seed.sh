#!/bin/sh
# SPDX-License-Identifier: MIT
# The same seed gives the same trace, with all values, also of pointers: threads that come and go,
# meet in C++20's ways, and allocate.
. "$(dirname "$0")/../lib.sh"
[ "${INSTRUMENTED:-OFF}" = OFF ] || finish

cat > meet.cc << 'END'
#include <atomic>
#include <barrier>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

int main()
{
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        std::latch all(3);
        std::barrier meeting(3);
        std::counting_semaphore<2> places(2);
        std::atomic<int> turn{0};
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&, i] {
                all.arrive_and_wait();
                places.acquire();
                auto memory = std::make_unique<int>(i);
                places.release();
                meeting.arrive_and_wait();
                for (int now = turn; now != i; now = turn)
                    turn.wait(now);
                sum += *memory;
                turn++;
                turn.notify_all();
            });
    }
    return sum == 9 ? 0 : 1;
}
END

run c++ -std=c++20 -O1 -g -pthread meet.cc -o meet
expect_status 0
nothing_stolen='--runtime steal_ms=5000:spin_ms=60000' # however busy the machine is
for scheduler in round-robin random pct; do
    for seed in 1 2 3; do
        for turn in 1 2; do
            # shellcheck disable=SC2086 # they are words
            run record -q $nothing_stolen --scheduler $scheduler --quantum 7 --seed $seed -o trace.srt -- ./meet
            expect_status 0
            run convert --to text trace.srt -o trace$turn.std
            expect_status 0
        done
        cmp trace1.std trace2.std || fail "expected the same trace of $scheduler, seed $seed"
    done
done
finish
