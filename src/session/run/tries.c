/* SPDX-License-Identifier: MIT */
#include "session/run/tries.h"

#include <stdlib.h>

#include "monitor/engine.h"

enum { BATCH = 1024 };

static bool keep_begin(void *context, const ser_violation *violation)
{
    ser_data_violations *found = context;
    ser_vector_push(&found->begins, violation->block);
    return true;
}

/* It may begin or end a block: so it stays an event, that nobody else's conflicts with. */
static ser_event without_lock(const ser_run *run, const ser_event *event)
{
    ser_event plain = *event;
    if (ser_op_space((ser_op)event->op) == SER_SPACE_LOCK) {
        plain.op = SER_OP_READ;
        plain.object = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE) + event->thread;
    }
    return plain;
}

static int compare(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

ser_data_violations ser_data_violations_of(const ser_run *run)
{
    ser_data_violations found = {.all = run->failed_tries == 0};
    if (found.all)
        return found;
    const ser_engine_config config = {keep_begin, &found};
    void *engine = ser_engine_summaries.create(&config);
    ser_event batch[BATCH];
    for (uint32_t first = 1; first <= run->count; first += BATCH) {
        uint32_t left = run->count - first + 1, count = left < BATCH ? left : BATCH;
        for (uint32_t i = 0; i < count; i++)
            batch[i] = without_lock(run, &run->events[first + i]);
        ser_engine_summaries.feed(engine, batch, count, first);
    }
    ser_engine_summaries.destroy(engine);
    if (found.begins.count)
        qsort(found.begins.items, found.begins.count, sizeof *found.begins.items, compare);
    return found;
}

bool ser_data_violations_has(const ser_data_violations *violations, uint64_t begin)
{
    return violations->all ||
           (violations->begins.count && bsearch(&begin, violations->begins.items,
                                                violations->begins.count, sizeof begin, compare));
}
