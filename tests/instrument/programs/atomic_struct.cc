// SPDX-License-Identifier: MIT
// An atomic structure, for which the compiler calls libatomic.
// FLAGS: -latomic
// LEVELS: -O1 -O2 -O3
#include <atomic>
#include <cstdio>

struct point {
    int x, y;
};

static std::atomic<point> place{point{1, 2}};

__attribute__((noinline)) static void move_to(int x)
{
    point now = place.load();
    now.x = x;
    place.store(now);
}
// ORDER: ^atomic_load8 _M_i of place.* in move_to
// ORDER: ^atomic_store8 _M_i of place.* in move_to

__attribute__((noinline)) static int change()
{
    point expected = place.load(), wanted = place.exchange(expected);
    wanted.y++;
    return place.compare_exchange_strong(expected, wanted) +
           place.compare_exchange_strong(expected, wanted);
}
// ORDER: ^atomic_load8 _M_i of place.* in change
// ORDER: ^rmw8 _M_i of place.* in change
// ORDER: ^compare_exchange8 _M_i of place.* in change
// ORDER: ^compare_exchange8 _M_i of place.* in change

int main()
{
    move_to(5);
    int changed = change();
    point now = place.load();
    std::printf("%d %d %d\n", changed, now.x, now.y);
    return 0;
}
