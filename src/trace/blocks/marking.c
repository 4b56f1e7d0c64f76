/* SPDX-License-Identifier: MIT */
/*
 * Marks blocks by what opens them: begin markers, the first lock a thread takes,
 * the call of an atomic function, or of one that is all of a thread, the read of a compound
 * assignment, the first access of a round, or what a thread acts upon later (checks.h).
 * ser_blocks_mark is the main function.
 *
 * A thread has at most one open block, which is closed only by the counterpart of what opened it.
 * So blocks that would nest in it, or overlap it, are not marked.
 */
#include "trace/blocks/blocks_internal.h"

/* What opened a block. */
enum {
    NOTHING,
    LOCK = SER_BLOCK_LOCK,
    CALL = SER_BLOCK_CALL,
    COMPOUND = SER_BLOCK_COMPOUND,
    ROUND = SER_BLOCK_ROUND,
    CHECK = SER_BLOCK_CHECK,
    WHOLE = SER_BLOCK_WHOLE
};

/* Whether a function is atomic, computed on demand. */
enum answer { UNKNOWN, NO, YES };

static bool ask_whether_atomic(const ser_blocks *blocks, uint32_t function, uint32_t site)
{
    if (!blocks->spec)
        return ser_function_survey_names(blocks->survey, function) &&
               (blocks->mode != SER_BLOCKS_ROUNDS ||
                ser_function_survey_is_root(blocks->survey, function));
    ser_span name = ser_symbols_whole_name(blocks->symbols, SER_SPACE_FUNCTION, function);
    return ser_function_spec_names(blocks->spec, name.text,
                                   ser_symbols_location(blocks->symbols, site));
}

/* The site of a call is where the function begins. */
static bool is_atomic(ser_blocks *blocks, const ser_event *call)
{
    bool by_site =
        blocks->spec && ser_function_spec_has_places(blocks->spec) && call->site != SER_NO_SITE;
    uint8_t *answer = by_site ? ser_vector_slot(&blocks->atomic_at, call->site)
                              : ser_vector_slot(&blocks->atomic, call->object);
    if (*answer == UNKNOWN)
        *answer = ask_whether_atomic(blocks, call->object, call->site) ? YES : NO;
    return *answer == YES;
}

static void open_block(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event, uint8_t by)
{
    if (thread->opener != NOTHING || (thread->onces && !blocks->spec))
        return;
    thread->opener = by;
    event->flags |= SER_EVENT_OPENS;
    ser_vector_push(&blocks->kinds, by);
    blocks->count++;
}

static void close_block(ser_blocks_thread *thread, ser_event *event, uint8_t by)
{
    if (thread->opener != by)
        return;
    thread->opener = NOTHING;
    event->flags |= SER_EVENT_CLOSES;
}

/* The C++ library runs the tasks of std::async and std::packaged_task as routines that set their
 * result once. The place of the release may be the task's own. */
static bool runs_task(ser_blocks *blocks, const ser_event *event)
{
    static const char library[] = "std::__future_base::";
    bool *is_task = ser_vector_slot(&blocks->tasks, event->object);
    if (ser_op_acquires((ser_op)event->op)) {
        uint32_t function = ser_symbols_site_function(blocks->symbols, event->site);
        const char *name = ser_symbols_name(blocks->symbols, SER_SPACE_FUNCTION, function);
        *is_task = strncmp(name, library, sizeof library - 1) == 0;
    }
    return *is_task;
}

/* What runs once runs in the thread that comes first, whatever that is about to do: it is part of
 * no block. So it cuts the block from which it is run, as a wait does. */
static void begin_once(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    if (runs_task(blocks, event))
        return;
    uint8_t opener = thread->opener;
    bool cuts = event->flow & SER_FLOW_RAN && (opener == LOCK || opener == CALL);
    if (thread->onces++ > 0 || !cuts)
        return;
    close_block(thread, event, opener);
    thread->once_opener = opener;
    thread->once_calls = thread->block_calls;
}

static void end_once(ser_blocks *blocks, ser_blocks_thread *thread, const ser_event *event)
{
    if (runs_task(blocks, event) || --thread->onces > 0 || thread->once_opener == NOTHING)
        return;
    thread->reopens = thread->once_opener;
    thread->block_calls = thread->once_calls;
    thread->once_opener = NOTHING;
    blocks->reopening++;
}

static void mark_acquire(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (event->flow & SER_FLOW_ONCE)
        begin_once(blocks, thread, event);
    else if (thread->locks++ == 0 && blocks->by_locks)
        open_block(blocks, thread, event, LOCK);
}

static void mark_release(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (event->flow & SER_FLOW_ONCE)
        end_once(blocks, thread, event);
    else if (--thread->locks == 0)
        close_block(thread, event, LOCK);
}

/* A block lets others in where it waits. The wait itself is its last event: it neither reads nor
 * writes, and no other thread comes before it, so that it may as well be outside. */
static void mark_wait(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    uint8_t opener = thread->opener;
    if (opener != LOCK && opener != CALL)
        return;
    close_block(thread, event, opener);
    thread->reopens = opener;
    blocks->reopening++;
}

/* Is the thread, between two parts of a block, at an event that ends it, or waits once more? */
static bool leaves_nothing(const ser_blocks_thread *thread, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (thread->reopens == CALL)
        return ser_op_returns(op) && thread->calls == thread->block_calls;
    return ser_op_releases(op) && !(event->flags & SER_EVENT_INNER) && thread->locks == 1;
}

/* The first event after a wait, or after what ran once. */
static void reopen_block(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    if (ser_op_lets_others_in((ser_op)event->op))
        return;
    if (!leaves_nothing(thread, event))
        open_block(blocks, thread, event, thread->reopens);
    thread->reopens = NOTHING;
    blocks->reopening--;
}

static void mark_call(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    thread->calls++;
    if (!blocks->by_calls || thread->opener != NOTHING)
        return;
    bool is_whole = blocks->whole && ser_whole_begins(blocks->whole, blocks->position);
    if (!is_whole && !is_atomic(blocks, event))
        return;
    open_block(blocks, thread, event, is_whole ? WHOLE : CALL);
    thread->block_calls = thread->calls;
}

static void mark_return(ser_blocks_thread *thread, ser_event *event)
{
    if (thread->calls-- == thread->block_calls)
        close_block(thread, event, thread->opener == WHOLE ? WHOLE : CALL);
}

/* Only the write can follow: that was looked at. */
static void mark_compound(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    if (thread->opener == COMPOUND)
        close_block(thread, event, COMPOUND);
    else if (!blocks->in_step && ser_compounds_begin(&blocks->compounds, event) &&
             ser_function_survey_is_shared(blocks->survey, event->object))
        open_block(blocks, thread, event, COMPOUND);
}

/* From the section in which something is looked at to that in which is acted upon it. */
static void begin_check(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    uint64_t end = ser_checks_end_of(blocks->checks, blocks->position);
    if (!end || thread->opener != NOTHING)
        return;
    open_block(blocks, thread, event, CHECK);
    thread->block_end = end;
}

/* Not within a multi-variable access: its other accesses happen in the same step. */
static void end_check(ser_blocks_thread *thread, ser_event *event)
{
    if (event->flags & SER_EVENT_JOINED)
        thread->block_end++;
    else
        close_block(thread, event, CHECK);
}

/* Locks, waits and calls. */
static void mark_operation(ser_blocks *blocks, ser_blocks_thread *thread, ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_acquires(op))
        mark_acquire(blocks, thread, event);
    else if (ser_op_releases(op))
        mark_release(blocks, thread, event);
    else if (ser_op_lets_others_in(op))
        mark_wait(blocks, thread, event);
    else if (ser_op_calls(op))
        mark_call(blocks, thread, event);
    else if (ser_op_returns(op))
        mark_return(thread, event);
}

static void mark_event(ser_blocks *blocks, ser_event *event)
{
    ser_vector_extend(&blocks->threads, (size_t)event->thread + 1);
    ser_blocks_thread *thread = &blocks->threads.items[event->thread];
    bool begins_round = false, ends_round = false;
    if (thread->reopens)
        reopen_block(blocks, thread, event);
    if (blocks->loops.any)
        ser_rounds_next(&blocks->loops, event, &begins_round, &ends_round);
    if (begins_round)
        open_block(blocks, thread, event, ROUND);
    if (blocks->any_checks)
        begin_check(blocks, thread, event);
    if (blocks->compounds.any)
        mark_compound(blocks, thread, event);
    mark_operation(blocks, thread, event);
    if (ends_round)
        close_block(thread, event, ROUND);
    if (thread->opener == CHECK && thread->block_end == blocks->position)
        end_check(thread, event);
}

static inline bool is_of_step(const ser_blocks *blocks, const ser_event *event)
{
    return __builtin_expect(blocks->in_step || (event->flags & SER_EVENT_JOINED), 0);
}

/* A multi-variable access outside blocks is a transaction, since it is indivisible. */
static void mark_step(ser_blocks *blocks, ser_event *event, bool inside)
{
    if (!blocks->in_step) {
        blocks->step_is_marked = !inside;
        if (!inside)
            event->flags |= SER_EVENT_OPENS | SER_EVENT_STEP;
    }
    blocks->in_step = event->flags & SER_EVENT_JOINED;
    if (!blocks->in_step && blocks->step_is_marked)
        event->flags |= SER_EVENT_CLOSES | SER_EVENT_STEP;
}

static void mark_markers(ser_blocks *blocks, ser_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_of_step(blocks, &events[i]))
            mark_step(blocks, &events[i], *ser_vector_slot(&blocks->inside, events[i].thread));
        if (events[i].flags & SER_EVENT_INNER)
            continue;
        if (ser_op_begins((ser_op)events[i].op)) {
            events[i].flags |= SER_EVENT_OPENS;
            *ser_vector_slot(&blocks->inside, events[i].thread) = true;
            blocks->count++;
        } else if (ser_op_ends((ser_op)events[i].op)) {
            events[i].flags |= SER_EVENT_CLOSES;
            *ser_vector_slot(&blocks->inside, events[i].thread) = false;
        }
    }
}

void ser_blocks_mark(ser_blocks *blocks, ser_event *events, size_t count)
{
    if (blocks->mode == SER_BLOCKS_MARKERS) {
        mark_markers(blocks, events, count);
        return;
    }
    for (size_t i = 0; i < count; i++, blocks->position++) {
        ser_event *event = &events[i];
        /* An access opens or closes nothing, unless it follows a wait, or is of a compound or
         * of a round. */
        bool access = ser_op_is_access((ser_op)event->op);
        if (ser_op_takes_part((ser_op)event->op) &&
            (!access || blocks->reopening || blocks->compounds.any || blocks->loops.any ||
             blocks->any_checks))
            mark_event(blocks, event);
        if (is_of_step(blocks, event))
            mark_step(blocks, event,
                      ser_vector_slot(&blocks->threads, event->thread)->opener != NOTHING);
    }
}
