/* SPDX-License-Identifier: MIT */
#include "session/run/judge/reasons.h"

#include <stdlib.h>

#include "session/run/judge/announced.h"
#include "session/run/judge/found_out.h"
#include "session/run/judge/library.h"
#include "session/run/judge/meant.h"
#include "session/run/judge/recheck.h"
#include "session/run/judge/stale.h"
#include "session/run/judge/waits/awaited.h"
#include "session/run/judge/waits/polling.h"
#include "session/run/judge/waits/protocols.h"
#include "session/run/survey/owners.h"
#include "session/run/survey/references.h"

/* Two accesses of the block show the violation: the first and the last of the path. The last one
 * may itself be what the block waits for. */
static bool has_wait_between(const ser_judging *judging, uint32_t begin,
                             const ser_witness_facts *facts)
{
    size_t count = facts->path.count;
    if (count < 2)
        return false;
    uint32_t last = facts->path.items[count - 1];
    return ser_waits_in_loop(judging->run, begin, facts->path.items[0], last) ||
           ser_is_awaited(judging->run, last, judging->first);
}

/* Do others come in between only to look whether they need no longer wait for the block? */
static bool is_only_awaited(const ser_judging *judging, const ser_run_block *block,
                            const ser_witness_facts *facts)
{
    size_t others = 0;
    for (size_t i = 0; i < facts->path.count; i++) {
        uint32_t event = facts->path.items[i];
        if (judging->run->events[event].thread == block->thread)
            continue;
        others++;
        if (!ser_is_awaited(judging->run, event, judging->first))
            return false;
    }
    return others > 0;
}

/* Whatever comes between them, the variable is the same afterwards: a constant that every
 * constructor sets, for one. */
static bool write_one_value(const ser_run *run, const ser_witness_facts *facts)
{
    const ser_event *first = &run->events[facts->path.items[0]];
    for (size_t i = 0; i < facts->path.count; i++) {
        const ser_event *event = &run->events[facts->path.items[i]];
        if (ser_op_reads((ser_op)event->op) || event->object != first->object ||
            !(event->flags & SER_EVENT_HAS_VALUE) || event->value != first->value)
            return false;
    }
    return facts->path.count > 0;
}

/* Is the block a critical section that never ends, and has it started the thread that comes in
 * between? Nobody can have meant that thread to wait. */
static bool has_let_in(const ser_run *run, const ser_run_block *block,
                       const ser_witness_facts *facts)
{
    if (block->kind != SER_BLOCK_LOCK || block->end || facts->path.count < 3)
        return false;
    uint32_t fork = run->threads.items[run->events[facts->path.items[1]].thread].fork;
    return fork && run->events[fork].thread == block->thread && fork > block->begin;
}

static bool is_owned(const ser_judging *judging, uint32_t event)
{
    bool *found = judging->owned ? *judging->owned : NULL;
    if (!found)
        found = ser_last_owners_find(judging->run);
    bool is_owned = found[event];
    if (judging->owned)
        *judging->owned = found;
    else
        free(found);
    return is_owned;
}

/* Is what the block comes to at last memory that it alone has a reference to by then? */
static bool ends_as_last_owner(const ser_judging *judging, uint32_t block,
                               const ser_witness_facts *facts)
{
    const ser_run *run = judging->run;
    uint32_t last = facts->path.count ? facts->path.items[facts->path.count - 1] : 0;
    return last && run->block_of[last] == block + 1 &&
           ser_op_is_access((ser_op)run->events[last].op) && is_owned(judging, last);
}

static bool has_joined(const ser_run *run, uint32_t thread, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i && i < to; i = ser_run_next(run, i))
        if (ser_op_joins((ser_op)run->events[i].op) && run->events[i].object == thread)
            return true;
    return false;
}

/* Does the block look again after it has waited for the end of all threads that come in between?
 * What they did is what it waited for. */
static bool looks_after_join(const ser_run *run, const ser_witness_facts *facts)
{
    size_t count = facts->path.count;
    if (count < 3)
        return false;
    uint32_t first = facts->path.items[0], last = facts->path.items[count - 1];
    uint32_t thread = run->events[first].thread;
    bool all =
        run->events[last].thread == thread && ser_op_only_reads((ser_op)run->events[last].op);
    for (size_t i = 1; i + 1 < count && all; i++) {
        uint32_t other = run->events[facts->path.items[i]].thread;
        all = other == thread || has_joined(run, other, first, last);
    }
    return all;
}

const char *ser_why_no_bug(const ser_judging *judging, uint32_t block,
                           const ser_witness_facts *facts)
{
    const ser_run *run = judging->run;
    uint32_t begin = run->blocks.items[block].begin;
    ser_block_kind kind = run->blocks.items[block].kind;
    bool guessed = !ser_block_is_meant(run, block, judging->guessed);
    if (ser_is_polling(run, begin, facts, judging->first) ||
        (guessed && has_wait_between(judging, begin, facts)))
        return ser_is_working_loop(run, facts)
                   ? "it does the same in each round of a loop, and others come between two rounds"
                   : "it waits until another thread has changed what it reads";
    if (guessed &&
        ser_is_protocol(run, block, facts->path.items, facts->path.count, judging->first))
        return "it agrees with others who goes on, and looks whether any came in between";
    if (guessed && ser_is_rechecked(run, facts))
        return "its atomic operation notices what others have changed since it looked";
    if (guessed && ser_finds_own_value(run, block, facts->path.items, facts->path.count))
        return "others write only what it has written itself";
    if (guessed && kind != SER_BLOCK_LOCK &&
        ser_is_announced(run, block, facts->path.items, facts->path.count))
        return "it takes back what it has written: that is meant to be seen in between";
    if (guessed && ser_is_library_matter(run, facts))
        return "what is changed belongs to a library, which synchronises it";
    if (guessed && ser_leads_through_waiters(run, facts))
        return "it leads through what std::atomic keeps about who waits";
    if (guessed && ser_is_about_references(run, facts))
        return "others only take or drop references to what it holds as well";
    if (guessed && ends_as_last_owner(judging, block, facts))
        return "it has the last reference then to what others have changed";
    if (guessed && looks_after_join(run, facts))
        return "it has waited for the end of the threads that come in between";
    if (guessed && is_only_awaited(judging, &run->blocks.items[block], facts))
        return "others come in between only to see whether they may go on";
    if (guessed && write_one_value(run, facts))
        return "all of them write the same value";
    if (guessed && has_let_in(run, &run->blocks.items[block], facts))
        return "it never gives its lock back, and has started the thread that comes in between";
    if (kind == SER_BLOCK_CHECK && facts->path.count > 2 &&
        ser_is_answer(run, block, facts->path.items[1]))
        return "another thread comes in between only after it has acted";
    if (kind == SER_BLOCK_CHECK && ser_find_staleness(run, block, NULL) == SER_STALE_BUT_TRUE)
        return "what it acts upon stays true, whatever the others do";
    return NULL;
}
