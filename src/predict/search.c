/* SPDX-License-Identifier: MIT */
#include "predict/search.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool ser_search_must_stop(const ser_search_options *options, ser_reason *reason)
{
    if (options->stop && atomic_load_explicit(options->stop, memory_order_relaxed))
        *reason = SER_REASON_INTERRUPTED;
    else if (options->deadline > 0 && now() > options->deadline)
        *reason = SER_REASON_TIME;
    else
        return false;
    return true;
}

void ser_answer_fini(ser_answer *answer)
{
    ser_vector_free(&answer->order);
}
