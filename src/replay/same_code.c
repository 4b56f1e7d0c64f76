/* SPDX-License-Identifier: MIT */
#include "replay/same_code.h"

#include <string.h>

/* A place in the code: what an event does there, and what it is called. */
typedef struct code_place {
    ser_op op;
    const char *location, *name;
} code_place;

static code_place place_of(const ser_run *run, uint32_t number)
{
    const ser_event *event = &run->events[number];
    ser_op op = (ser_op)event->op;
    bool is_named = ser_op_opens(op) && event->object != SER_NO_OBJECT;
    return (code_place){
        op, event->site == SER_NO_SITE ? "" : ser_symbols_location(run->symbols, event->site),
        is_named ? ser_symbols_name(run->symbols, ser_op_space(op), event->object) : ""};
}

static bool is_at(const ser_run *run, uint32_t event, const code_place *place)
{
    if (run->events[event].op != place->op)
        return false;
    code_place here = place_of(run, event);
    return strcmp(here.location, place->location) == 0 && strcmp(here.name, place->name) == 0;
}

void ser_blocks_of_code(const ser_run *run, const ser_run *other, uint32_t begin,
                        ser_block_list *blocks)
{
    code_place wanted = place_of(other, begin);
    for (uint32_t i = 0; *wanted.location && i < run->blocks.count; i++)
        if (is_at(run, run->blocks.items[i].begin, &wanted))
            ser_vector_push(blocks, i);
}

/* --- spans that were no blocks --------------------------------------------- */

typedef struct code_span {
    code_place first, last;
    ser_block_kind kind;
} code_span;

/* The last event of a call: its return, or what comes before a wait in it; 0: it never ends. */
static uint32_t end_of_call(const ser_run *run, uint32_t call)
{
    uint32_t calls = 1, before = call;
    for (uint32_t i = ser_run_next(run, call); i; before = i, i = ser_run_next(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_lets_others_in(op))
            return before;
        calls += ser_op_calls(op);
        if (ser_op_returns(op) && --calls == 0)
            return i;
    }
    return 0;
}

/* The next event at the last place; `begin` itself if there is none before a wait, or before the
 * thread begins anew. */
static uint32_t end_of_places(const ser_run *run, uint32_t begin, const code_span *span)
{
    for (uint32_t i = ser_run_next(run, begin); i; i = ser_run_next(run, i)) {
        if (is_at(run, i, &span->last))
            return i;
        if (is_at(run, i, &span->first) || ser_op_lets_others_in((ser_op)run->events[i].op))
            break;
    }
    return begin;
}

static uint32_t end_of(const ser_run *run, uint32_t begin, const code_span *span)
{
    return ser_op_calls(span->first.op) ? end_of_call(run, begin) : end_of_places(run, begin, span);
}

static bool has_code(const ser_run *run, const code_place *first)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->eid[i] && is_at(run, i, first))
            return true;
    return false;
}

static void forget_blocks(ser_run *run)
{
    run->blocks.count = 0;
    for (uint32_t i = 1; i <= run->count; i++) {
        run->block_of[i] = 0;
        run->events[i].flags &= (uint8_t) ~(SER_EVENT_OPENS | SER_EVENT_CLOSES | SER_EVENT_STEP);
    }
}

static void add_block(ser_run *run, uint32_t begin, const code_span *span)
{
    uint32_t end = end_of(run, begin, span);
    ser_run_block block = {run->events[begin].thread, begin, end, span->kind, 0};
    ser_vector_push(&run->blocks, block);
    for (uint32_t i = begin; i && (!end || i <= end); i = ser_run_next(run, i))
        run->block_of[i] = (uint32_t)run->blocks.count;
    run->events[begin].flags |= SER_EVENT_OPENS;
    if (end)
        run->events[end].flags |= SER_EVENT_CLOSES;
}

bool ser_mark_code(ser_run *run, const ser_run *other, uint32_t begin)
{
    const ser_run_block *block = &other->blocks.items[other->block_of[begin] - 1];
    if (ser_op_begins((ser_op)other->events[begin].op) || !block->end)
        return false;
    code_span span = {place_of(other, begin), place_of(other, block->end), block->kind};
    if (!*span.first.location || !has_code(run, &span.first))
        return false;
    forget_blocks(run);
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->eid[i] && !run->block_of[i] && is_at(run, i, &span.first))
            add_block(run, i, &span);
    return true;
}
