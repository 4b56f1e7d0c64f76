/* SPDX-License-Identifier: MIT */
#include "predict/search.h"

#include <string.h>

#include "base/clock.h"

const ser_search_engine *const ser_search_engines[] = {
#define SER_X(name, help) &ser_search_##name,
    SER_SEARCH_ENGINES(SER_X)
#undef SER_X
        NULL,
};

const ser_search_engine *ser_search_engine_by_name(const char *name)
{
    for (size_t i = 0; ser_search_engines[i]; i++)
        if (strcmp(ser_search_engines[i]->name, name) == 0)
            return ser_search_engines[i];
    return NULL;
}

bool ser_search_must_stop(const ser_search_options *options, ser_reason *reason)
{
    if (options->stop && atomic_load_explicit(options->stop, memory_order_relaxed))
        *reason = SER_REASON_INTERRUPTED;
    else if (options->deadline > 0 && ser_clock_work() > options->deadline)
        *reason = SER_REASON_TIME;
    else
        return false;
    return true;
}

void ser_answer_fini(ser_answer *answer)
{
    ser_vector_free(&answer->order);
}
