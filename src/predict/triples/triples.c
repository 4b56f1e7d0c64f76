/* SPDX-License-Identifier: MIT */
#include "predict/triples/triples.h"

static const ser_event *event_at(const ser_run *run, uint32_t number)
{
    return &run->events[number];
}

static bool writes(const ser_run *run, uint32_t number)
{
    return ser_op_writes((ser_op)event_at(run, number)->op);
}

static bool is_unserializable(const ser_run *run, uint32_t from, uint32_t remote, uint32_t to)
{
    return writes(run, remote) || (writes(run, from) && writes(run, to));
}

/* With every access of another thread. */
static bool list_between(ser_triple_list *list, const ser_run *run, ser_event_span accesses,
                         uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < accesses.count; i++) {
        uint32_t remote = accesses.items[i];
        if (event_at(run, remote)->thread == event_at(run, from)->thread ||
            !is_unserializable(run, from, remote, to))
            continue;
        if (list->count >= SER_MOST_TRIPLES)
            return false;
        ser_vector_push(list, ((ser_triple){from, remote, to}));
    }
    return true;
}

bool ser_triples_list(ser_triple_list *list, const ser_run *run, const ser_index *index,
                      uint32_t block)
{
    uint32_t from = run->blocks.items[block].begin;
    for (; from && run->block_of[from] == block + 1; from = ser_run_next(run, from)) {
        if (!ser_op_is_access((ser_op)event_at(run, from)->op))
            continue;
        uint32_t variable = event_at(run, from)->object;
        ser_event_span accesses = ser_index_events(&index->accesses, variable);
        uint32_t to = ser_run_next(run, from);
        for (; to && run->block_of[to] == block + 1; to = ser_run_next(run, to))
            if (ser_op_is_access((ser_op)event_at(run, to)->op) &&
                event_at(run, to)->object == variable &&
                !list_between(list, run, accesses, from, to))
                return false;
    }
    return true;
}
