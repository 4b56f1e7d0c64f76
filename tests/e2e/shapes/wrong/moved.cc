/* SPDX-License-Identifier: MIT */
/* All that a thread does is to move a thing, in two critical sections: for some time nobody has it.
 * finds: move_over */
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct box {
    std::mutex m;
    std::vector<int> things;
};

static box left, right;
static bool gone;

static void move_over(int wanted)
{
    {
        std::lock_guard<std::mutex> hold(left.m);
        left.things.pop_back();
    }
    std::lock_guard<std::mutex> hold(right.m);
    right.things.push_back(wanted);
}

static void audit()
{
    std::lock_guard<std::mutex> one(left.m), other(right.m);
    gone = left.things.size() + right.things.size() != 2;
}

int main()
{
    left.things = {1, 2};
    std::thread mover(move_over, 2), auditor(audit);
    mover.join();
    auditor.join();
    puts(gone ? "something is gone" : "done");
}
