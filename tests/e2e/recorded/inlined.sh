#!/bin/sh
# SPDX-License-Identifier: MIT
# Where is inlined code of headers? What the program can change is told at the program's line: its
# containers, its std::atomic. What a library does atomically for its own threads, and where the C++
# library waits, is told at the header's line, so that nobody is accused of it.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

cat > inlined.cc <<'END_OF_PROGRAM'
#include <atomic>
#include <thread>
#include <vector>
#line 1 "/usr/include/tasks/scheduler.hpp"
struct scheduler {
    std::atomic<long> work{1};
    long sum = 0;
    __attribute__((always_inline)) void add(long value)
    {
        work++;
        sum += value;
    }
};
#line 101 "inlined.cc"
static scheduler tasks;
static std::atomic<int> turns{0};
static std::atomic<int> done{0};
static std::vector<int> *list;
static void give()
{
    list->push_back(1);
    turns++;
    tasks.add(2);
    done = 1;
    done.notify_one();
}
int main()
{
    std::vector<int> room;
    room.reserve(4);
    list = &room;
    std::thread thread(give);
    done.wait(0);
    list->push_back(2);
    turns++;
    tasks.add(3);
    thread.join();
    return (int)room.size() + turns == 4 ? 0 : 1;
}
END_OF_PROGRAM
run c++ -std=c++20 -O2 -g -pthread inlined.cc -o inlined
expect_status 0
run record -q -o run.srt -- ./inlined
expect_status 0
run convert --to text run.srt -o run.std

# at OPERATION OPERAND PLACE
at() {
    grep -q "^T[01]|$1($2.*|$3" run.std || {
        grep "|$1($2" run.std
        fail "$1 of $2 should be at $3"
    }
}
at rmw '[^|]*turns' 'inlined.cc:108|'
at rmw '[^|]*tasks.work' '/usr/include/tasks/scheduler.hpp:6|'
at w '[^|]*tasks.sum' 'inlined.cc:109|'
at w '[^|]*allocated at' 'inlined.cc:107|'
at r '[^|]*done' '/usr/[^|]*/bits/atomic_wait.h:'
finish
