/* SPDX-License-Identifier: MIT */
#include "session/run/judge/meant.h"

#include "bugs/own_code.h"

/* The call of the first function of the program's own that a thread runs, behind those of the
 * library that starts it; 0: not known. */
static uint32_t first_own_call(const ser_run *run, uint32_t thread)
{
    const ser_event_list *events = &run->threads.items[thread].events;
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &run->events[events->items[i]];
        if (ser_op_calls((ser_op)event->op) &&
            !ser_is_library_place(ser_symbols_shown_location(run->symbols, event->site)))
            return events->items[i];
    }
    return 0;
}

/* Is the block such a call, or what follows a wait in it? */
static bool is_all_that_a_thread_does(const ser_run *run, uint32_t block)
{
    uint32_t first = first_own_call(run, run->blocks.items[block].thread);
    uint32_t whole = first ? run->block_of[first] : 0;
    return whole && run->blocks.items[whole - 1].begin == first;
}

bool ser_block_is_meant(const ser_run *run, uint32_t block, bool guessed)
{
    ser_block_kind kind = run->blocks.items[block].kind;
    return kind == SER_BLOCK_MARKED ||
           (!guessed && !(kind == SER_BLOCK_CALL && is_all_that_a_thread_does(run, block)));
}

static bool is_atomic(const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return ser_op_is_access(op) && (ser_op_updates(op) || event->flow & SER_FLOW_ATOMIC);
}

/* Does the block change something by a compare-exchange? */
static bool exchanges(const ser_run *run, uint32_t block)
{
    for (uint32_t i = run->blocks.items[block].begin; i && run->block_of[i] == block + 1;
         i = ser_run_next(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op) &&
            ser_op_updates((ser_op)run->events[i].op) && !(run->events[i].flow & SER_FLOW_MODIFIES))
            return true;
    return false;
}

bool ser_takes_effect_at_once(const ser_run *run, uint32_t block, const uint32_t *events,
                              size_t count)
{
    size_t atomic = 0;
    while (atomic < count && is_atomic(&run->events[events[atomic]]))
        atomic++;
    return atomic > 0 && atomic == count && exchanges(run, block);
}
