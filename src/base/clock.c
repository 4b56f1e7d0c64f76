/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

static clockid_t clock_of_work = CLOCK_MONOTONIC;

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double ser_clock_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double ser_clock_work(void)
{
    return seconds_of(clock_of_work);
}

void ser_clock_count_processor_time(void)
{
    clock_of_work = CLOCK_PROCESS_CPUTIME_ID;
}
