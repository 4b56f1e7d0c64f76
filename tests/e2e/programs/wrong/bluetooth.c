// SPDX-License-Identifier: MIT
// blocks: enter
// A driver is stopped between the look at its flag and the entry of the user.
#include "../team.h"
#include <stdatomic.h>
#include <stdio.h>

atomic_int stopping, stopped;
atomic_int pending = 1;

void leave(void)
{
    if (--pending == 0)
        stopped = 1;
}

int enter(void)
{
    return !stopping && pending++ > 0;
}

void *use(void *unused)
{
    if (enter())
        leave();
    return unused;
}

void *stop(void *unused)
{
    stopping = 1;
    leave();
    return unused;
}

int main(void)
{
    team_of_two(use, NULL, stop, NULL);
    puts(stopped ? "stopped" : "running");
}
