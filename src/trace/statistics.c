/* SPDX-License-Identifier: MIT */
/*
 * Counters, and one byte for each name to tell whether it was met before. What
 * follows from the counts by operation is summed up when it is asked for.
 */
#include "trace/statistics.h"

#include "base/vector.h"

typedef struct thread_state {
    uint64_t block_events; /* of the open block; 0 if none is open */
    uint64_t depth;        /* open begins */
} thread_state;

typedef SER_VECTOR(uint8_t) seen_set;

struct ser_statistics {
    ser_counts counts;
    seen_set seen[SER_SPACE_COUNT]; /* operands */
    seen_set seen_threads;          /* that have events or are forked */
    SER_VECTOR(thread_state) threads;
};

ser_statistics *ser_statistics_create(void)
{
    return ser_alloc(1, sizeof(ser_statistics));
}

void ser_statistics_destroy(ser_statistics *statistics)
{
    if (!statistics)
        return;
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_vector_free(&statistics->seen[space]);
    ser_vector_free(&statistics->seen_threads);
    ser_vector_free(&statistics->threads);
    free(statistics);
}

/* Counts a name when it is met for the first time. */
static void count_distinct(seen_set *seen, uint32_t name, uint64_t *count)
{
    uint8_t *met = ser_vector_slot(seen, name);
    *count += !*met;
    *met = 1;
}

static void count_block(ser_counts *counts, thread_state *thread, uint8_t flags)
{
    if (flags & SER_EVENT_OPENS) {
        counts->blocks++;
        counts->open_blocks++;
        thread->block_events = 1;
    } else if (thread->block_events > 0) {
        thread->block_events++;
    }
    if (thread->block_events > counts->longest_block)
        counts->longest_block = thread->block_events;
    if (flags & SER_EVENT_CLOSES) {
        counts->open_blocks--;
        thread->block_events = 0;
    }
}

static void count_depth(ser_counts *counts, thread_state *thread, ser_op op)
{
    if (op == SER_OP_END)
        thread->depth--;
    else if (op == SER_OP_BEGIN && ++thread->depth > counts->deepest_begin)
        counts->deepest_begin = thread->depth;
}

static void count_event(ser_statistics *statistics, const ser_event *event)
{
    ser_counts *counts = &statistics->counts;
    ser_op op = (ser_op)event->op;
    counts->events++;
    counts->operations[op]++;
    if (op == SER_OP_SKIP)
        return;
    count_distinct(&statistics->seen_threads, event->thread, &counts->threads);
    if (op == SER_OP_FORK)
        count_distinct(&statistics->seen_threads, event->object, &counts->threads);
    ser_space space = ser_op_space(op);
    if (event->object != SER_NO_OBJECT)
        count_distinct(&statistics->seen[space], event->object, &counts->objects[space]);
    thread_state *thread = ser_vector_slot(&statistics->threads, event->thread);
    count_block(counts, thread, event->flags);
    count_depth(counts, thread, op);
}

void ser_statistics_add(ser_statistics *statistics, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        count_event(statistics, &events[i]);
}

ser_counts ser_statistics_counts(const ser_statistics *statistics)
{
    ser_counts counts = statistics->counts;
    const uint64_t *of = counts.operations;
    counts.lock_events = of[SER_OP_ACQUIRE] + of[SER_OP_RELEASE] + of[SER_OP_SHARED_ACQUIRE] +
                         of[SER_OP_SHARED_RELEASE];
    counts.locks = counts.objects[SER_SPACE_LOCK];
    counts.accesses = of[SER_OP_READ] + of[SER_OP_WRITE] + of[SER_OP_RMW];
    counts.variables = counts.objects[SER_SPACE_VARIABLE];
    counts.waits_and_notifies = of[SER_OP_WAIT] + of[SER_OP_NOTIFY] + of[SER_OP_NOTIFY_ALL];
    counts.skipped = of[SER_OP_SKIP];
    return counts;
}
