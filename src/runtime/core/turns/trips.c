/* SPDX-License-Identifier: MIT */
#include "runtime/core/turns/trips.h"

#include "runtime/core/core.h"

enum {
    MOST = 200,    /* short ones */
    MOST_LONG = 3, /* if they take longer than a thread may take for a step */
};

static uint64_t milliseconds(void)
{
    struct timespec now;
    ser_now(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool ser_trips_are_in_vain(ser_trips *trips)
{
    uint64_t now = milliseconds();
    if (trips->count++ == 0)
        trips->first = now;
    return trips->count > MOST ||
           (trips->count > MOST_LONG && now - trips->first >= ser_the_world.options.replay_ms);
}
