/* SPDX-License-Identifier: MIT */
/*
 * Counters, and one byte per name that says whether it was seen before. Counts that follow from
 * others are computed on request: an access, the most frequent event, updates three counters.
 */
#include "trace/statistics.h"

#include "base/vector.h"

typedef struct thread_state {
    uint64_t events;
    uint64_t before_block; /* events before the open block */
    uint32_t depth;        /* open begins */
    bool in_block;
} thread_state;

typedef SER_VECTOR(uint8_t) seen_set;

struct ser_statistics {
    ser_counts counts;
    seen_set seen[SER_SPACE_COUNT]; /* operands */
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
    ser_vector_free(&statistics->threads);
    free(statistics);
}

/* Counts an operand when it occurs for the first time. */
static inline void count_object(ser_statistics *statistics, ser_space space, uint32_t object)
{
    uint8_t *met = ser_vector_slot(&statistics->seen[space], object);
    statistics->counts.objects[space] += !*met;
    *met = 1;
}

static void note_block_length(ser_counts *counts, const thread_state *thread)
{
    uint64_t length = thread->events - thread->before_block;
    if (length > counts->longest_block)
        counts->longest_block = length;
}

/* The event is counted in thread->events already. */
static void count_block(ser_counts *counts, thread_state *thread, uint8_t flags)
{
    if (flags & SER_EVENT_OPENS) {
        counts->blocks++;
        thread->in_block = true;
        thread->before_block = thread->events - 1;
    }
    if (flags & SER_EVENT_CLOSES) {
        note_block_length(counts, thread);
        thread->in_block = false;
    }
}

static void count_depth(ser_counts *counts, thread_state *thread, ser_op op)
{
    if (ser_op_ends(op))
        thread->depth--;
    else if (ser_op_begins(op) && ++thread->depth > counts->deepest_begin)
        counts->deepest_begin = thread->depth;
}

/* All that is special about events other than accesses. */
static void count_operation(ser_statistics *statistics, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (event->object != SER_NO_OBJECT)
        count_object(statistics, ser_op_space(op), event->object);
    statistics->counts.elided += ser_event_elided(event);
    count_depth(&statistics->counts, &statistics->threads.items[event->thread], op);
}

static inline void count_event(ser_statistics *statistics, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    statistics->counts.operations[op]++;
    if (!ser_op_takes_part(op)) {
        statistics->counts.elided += ser_event_elided(event);
        return;
    }
    thread_state *thread = ser_vector_slot(&statistics->threads, event->thread);
    thread->events++;
    if ((event->flags & (SER_EVENT_OPENS | SER_EVENT_CLOSES)) && !(event->flags & SER_EVENT_STEP))
        count_block(&statistics->counts, thread, event->flags);
    if (ser_op_is_access(op))
        count_object(statistics, SER_SPACE_VARIABLE, event->object);
    else
        count_operation(statistics, event);
}

void ser_statistics_add(ser_statistics *statistics, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        count_event(statistics, &events[i]);
}

static void count_threads(const ser_statistics *statistics, ser_counts *counts)
{
    for (size_t i = 0; i < statistics->threads.count; i++) {
        const thread_state *thread = &statistics->threads.items[i];
        counts->threads += thread->events > 0;
        counts->open_blocks += thread->in_block;
        if (thread->in_block)
            note_block_length(counts, thread);
    }
}

/* What an operation's events count as. */
static void add_up(ser_counts *counts, ser_op op)
{
    uint64_t events = counts->operations[op];
    counts->events += events;
    counts->lock_events += ser_op_has(op, SER_ACQUIRES | SER_RELEASES) ? events : 0;
    counts->accesses += ser_op_is_access(op) ? events : 0;
    counts->waits_and_notifies += ser_op_space(op) == SER_SPACE_CONDITION ? events : 0;
    counts->skipped += ser_op_takes_part(op) ? 0 : events;
}

ser_counts ser_statistics_counts(const ser_statistics *statistics)
{
    ser_counts counts = statistics->counts;
    for (int op = 0; op < SER_OP_COUNT; op++)
        add_up(&counts, (ser_op)op);
    counts.locks = counts.objects[SER_SPACE_LOCK];
    counts.variables = counts.objects[SER_SPACE_VARIABLE];
    count_threads(statistics, &counts);
    return counts;
}
