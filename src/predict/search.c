/* SPDX-License-Identifier: MIT */
#include "predict/search.h"

#include "base/clock.h"

bool ser_search_must_stop(const ser_search_options *options, ser_reason *reason)
{
    if (options->stop && atomic_load_explicit(options->stop, memory_order_relaxed))
        *reason = SER_REASON_INTERRUPTED;
    else if (options->deadline > 0 && ser_clock_now() > options->deadline)
        *reason = SER_REASON_TIME;
    else
        return false;
    return true;
}

void ser_answer_fini(ser_answer *answer)
{
    ser_vector_free(&answer->order);
}
