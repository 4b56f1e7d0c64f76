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

enum { UPDATE_LENGTH = 64 };

/* Where the thread accesses the variable as well in that way, before or behind the event, in the
 * same critical section; 0: nowhere. */
static uint32_t find_near(const ser_run *run, uint32_t event, bool behind,
                          bool (*in_that_way)(ser_op op))
{
    uint32_t at = event;
    for (int i = 0; i < UPDATE_LENGTH; i++) {
        at = behind ? ser_run_next(run, at) : ser_run_previous(run, at);
        const ser_event *near = &run->events[at];
        if (!at || ser_op_space((ser_op)near->op) == SER_SPACE_LOCK)
            return 0;
        if (ser_op_is_access((ser_op)near->op) && near->object == run->events[event].object &&
            in_that_way((ser_op)near->op))
            return at;
    }
    return 0;
}

/* Does the thread give its lock back after the event only to wait? Then it has not acted upon what
 * it saw. */
static bool only_waits(const ser_run *run, uint32_t event)
{
    uint32_t at = event;
    for (int i = 0; at && i < UPDATE_LENGTH && !ser_op_waits((ser_op)run->events[at].op); i++) {
        if (at != event && ser_op_is_access((ser_op)run->events[at].op) &&
            ser_op_writes((ser_op)run->events[at].op))
            return false;
        at = ser_run_next(run, at);
    }
    return at && ser_op_waits((ser_op)run->events[at].op);
}

/* Not of a container or a stream of the library: the order of what is put there is seen. */
static bool is_of_update(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    if (ser_op_updates(op))
        return true;
    uint32_t read = ser_op_only_reads(op) ? event : find_near(run, event, false, ser_op_reads);
    if (!read || run->events[read].flow & SER_FLOW_MODIFIES)
        return false;
    return read != event || find_near(run, event, true, ser_op_writes) || only_waits(run, event);
}

static bool is_of_library(const ser_run *run, uint32_t event)
{
    uint32_t site = run->events[event].site;
    return site != SER_NO_SITE && ser_is_library_place(ser_symbols_location(run->symbols, site));
}

/* Of the accesses of a block, at both ends of the path: are they looks at one variable? What a
 * container looks at before it changes itself is no second look of the program. */
static bool looks_again(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    const ser_event *first = &run->events[events[0]], *last = &run->events[events[count - 1]];
    return run->block_of[events[0]] == block + 1 && run->block_of[events[count - 1]] == block + 1 &&
           ser_op_is_access((ser_op)first->op) && ser_op_is_access((ser_op)last->op) &&
           ser_op_reads((ser_op)first->op) && ser_op_reads((ser_op)last->op) &&
           first->object == last->object && !is_of_library(run, events[count - 1]);
}

bool ser_is_unseen(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    bool again = count > 2 && looks_again(run, block, events, count);
    for (size_t i = 0; i < count; i++)
        if (ser_op_is_access((ser_op)run->events[events[i]].op) && !is_of_update(run, events[i]) &&
            !(again && run->block_of[events[i]] == block + 1))
            return false;
    return count > 2;
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
