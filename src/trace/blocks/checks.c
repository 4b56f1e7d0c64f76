/* SPDX-License-Identifier: MIT */
#include "trace/blocks/checks.h"

#include <stdlib.h>
#include <string.h>

/* So many accessors in one another, or functions down to the act, are looked through. */
enum { DEEP = 3 };

/* The last read of a variable by a thread that it may still act upon. */
typedef struct last_read {
    uint64_t begin; /* where its section begins, */
    uint64_t
        calls[DEEP];  /* and the innermost calls that it is in, from the inside: their begins, */
    bool keeps[DEEP]; /* and whether their callers do not get to know what they read */
    uint64_t section; /* by number */
    uint64_t call;    /* in which it was made, */
    size_t depth;     /* and how many calls are open there */
    uint64_t waits;   /* of the thread, before it */
    uint64_t locked;  /* sections of it with a lock, and answers, before it */
    uint32_t site;
    uint16_t flow;
    bool is_open; /* the variable was not written since, nor its value looked at anew */
    bool again;   /* it was read again since, to be stored */
} last_read;

/* The last write of a variable by a thread. */
typedef struct left_value {
    uint64_t call;  /* in which it was made, */
    uint64_t begin; /* where that call begins, */
    size_t depth;   /* and how many calls are open there */
    uint64_t chain; /* of the thread */
} left_value;

/* What a thread has read of a variable, and written. */
typedef struct history {
    last_read last;
    last_read fresh; /* open: read again in a section that writes anyway, and acted upon later */
    left_value left;
} history;

typedef struct open_call {
    uint64_t number, begin;
    bool keeps; /* SER_FLOW_KEEPS */
} open_call;

typedef struct thread_state {
    uint64_t begin;   /* of the section, if locks are held */
    uint64_t section; /* its number; each access outside is one of its own */
    uint64_t waits;
    uint64_t locked; /* how many sections with a lock it began, and atomic updates answered it */
    uint32_t locks;
    uint64_t chain;      /* changes with what it does but to write, to lock and to call */
    uint64_t acts_from;  /* 1 + where the block begins that ends with this section; 0: none does */
    uint64_t looks_from; /* the same of one that looks again in this section */
    SER_VECTOR(open_call) calls;
} thread_state;

typedef struct span {
    uint64_t end;
} span;

struct ser_checks {
    const ser_symbols *symbols;
    uint64_t position;
    uint64_t step_begin; /* where the multi-variable access begins that the event is part of */
    bool in_step;        /* the event before this one is joined to it */
    uint64_t calls;      /* made so far, to number them */
    uint32_t last;       /* the thread of the last event */
    SER_VECTOR(thread_state) threads;
    ser_pairmap index; /* thread, variable: 1 + number of the last read */
    SER_VECTOR(history) reads;
    ser_pairmap begins; /* position: 1 + number of the span */
    SER_VECTOR(span) spans;
};

ser_checks *ser_checks_create(const ser_symbols *symbols)
{
    ser_checks *made = ser_alloc(1, sizeof *made);
    made->symbols = symbols;
    return made;
}

void ser_checks_destroy(ser_checks *checks)
{
    if (!checks)
        return;
    for (size_t i = 0; i < checks->threads.count; i++)
        ser_vector_free(&checks->threads.items[i].calls);
    ser_vector_free(&checks->threads);
    ser_vector_free(&checks->reads);
    ser_vector_free(&checks->spans);
    ser_pairmap_fini(&checks->index);
    ser_pairmap_fini(&checks->begins);
    free(checks);
}

static uint64_t call_of(const thread_state *thread)
{
    return thread->calls.count ? thread->calls.items[thread->calls.count - 1].number : 0;
}

static history *history_of(ser_checks *checks, const thread_state *thread, const ser_event *event)
{
    uint32_t *number = ser_pairmap_add(&checks->index, event->thread, event->object, 0);
    if (*number == 0) {
        history none = {0};
        ser_vector_push(&checks->reads, none);
        *number = (uint32_t)checks->reads.count;
    }
    history *found = &checks->reads.items[*number - 1];
    if (found->fresh.is_open && found->fresh.section != thread->section) {
        found->last = found->fresh;
        found->fresh.is_open = false;
    }
    return found;
}

static last_read make_read(const ser_checks *checks, const thread_state *thread,
                           const ser_event *event)
{
    last_read made = {.begin = thread->locks ? thread->begin : checks->step_begin,
                      .section = thread->section,
                      .call = call_of(thread),
                      .depth = thread->calls.count,
                      .waits = thread->waits,
                      .locked = thread->locked,
                      .site = event->site,
                      .flow = event->flow,
                      .is_open = true};
    for (size_t i = 0; i < DEEP && i < made.depth; i++) {
        const open_call *call = &thread->calls.items[made.depth - 1 - i];
        made.calls[i] = call->begin;
        made.keeps[i] = call->keeps;
    }
    return made;
}

/* How many calls are open that were open when it was read? Calls have numbers in their order. */
static size_t common_calls(const thread_state *thread, const last_read *last)
{
    size_t common = thread->calls.count;
    while (common > 0 && thread->calls.items[common - 1].number > last->call)
        common--;
    return common;
}

/* Have all calls handed the value on that have returned since it was read? Of the outer ones it is
 * only known whether they can. */
static bool was_handed_on(const last_read *last, size_t returned)
{
    bool handed = returned <= DEEP && (!returned || last->flow & SER_FLOW_HANDED);
    for (size_t i = 0; handed && i < returned; i++)
        handed = !last->keeps[i];
    return handed;
}

/* Does the code that acts know the value? Nobody takes what the outermost call hands on: what runs
 * after main() are destructors. */
static bool knows(const thread_state *thread, const last_read *last)
{
    size_t common = common_calls(thread, last), returned = last->depth - common;
    if (returned && common == 0)
        return false;
    return was_handed_on(last, returned) && thread->calls.count - common <= DEEP;
}

/* "bank.c:37": the number; 0: there is none. */
static unsigned long line_of(const char *location, size_t *file_length)
{
    const char *colon = strchr(location, ':');
    *file_length = colon ? (size_t)(colon - location) : 0;
    return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

/* Does the code that writes stand before that which reads, in the same function? Then its thread
 * is in a new round of a loop. */
static bool is_new_round(const ser_checks *checks, const last_read *last, const ser_event *write)
{
    if (last->site == SER_NO_SITE || write->site == SER_NO_SITE ||
        ser_symbols_site_function(checks->symbols, last->site) !=
            ser_symbols_site_function(checks->symbols, write->site))
        return false;
    const char *read_at = ser_symbols_location(checks->symbols, last->site);
    const char *written_at = ser_symbols_location(checks->symbols, write->site);
    size_t length, other;
    unsigned long from = line_of(read_at, &length), to = line_of(written_at, &other);
    return to && to < from && length == other && strncmp(read_at, written_at, length) == 0;
}

static bool acts_upon(const thread_state *thread, const last_read *last)
{
    return last->is_open && last->section != thread->section && knows(thread, last) &&
           last->waits == thread->waits &&
           (last->flow & SER_FLOW_DECIDES || (last->flow & SER_FLOW_DATA && !last->again));
}

/* The call that has handed the value on belongs to the block. */
static uint64_t begin_of(const thread_state *thread, const last_read *last)
{
    size_t returned = last->depth - common_calls(thread, last);
    uint64_t begin = returned ? last->calls[returned - 1] : last->begin;
    return begin < last->begin ? begin : last->begin;
}

static void note_first(uint64_t *from, uint64_t begin)
{
    if (!*from || begin + 1 < *from)
        *from = begin + 1;
}

/* The program may fail there, by what it finds. */
static void note_second_look(thread_state *thread, const last_read *last)
{
    if (thread->locks && acts_upon(thread, last))
        note_first(&thread->looks_from, begin_of(thread, last));
}

/* A read whose value does not decide whether to act is none: what was looked at before counts. */
static void see_read(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    history *known = history_of(checks, thread, event);
    last_read *last = &known->last;
    note_second_look(thread, last);
    bool is_same = last->is_open && last->section == thread->section;
    uint16_t kept = is_same ? last->flow & (SER_FLOW_DECIDES | SER_FLOW_HANDED) : 0;
    if (last->is_open && !is_same && last->flow & SER_FLOW_DECIDES &&
        event->flow & (SER_FLOW_DATA | SER_FLOW_ANYWAY | SER_FLOW_BLIND)) {
        last->again = true;
        if (event->flow & SER_FLOW_DECIDES)
            known->fresh = make_read(checks, thread, event);
        return;
    }
    *last = make_read(checks, thread, event);
    last->flow |= kept;
}

static void add_span(ser_checks *checks, uint64_t begin, uint64_t end)
{
    const span added = {end};
    ser_vector_push(&checks->spans, added);
    *ser_pairmap_add(&checks->begins, begin, 0, 0) = (uint32_t)checks->spans.count;
}

/* Updates without a lock by values that are only stored are reported one by one (compounds.h). A
 * thread that has taken a lock in between may have looked there at what counts: "as long as there
 * is work: take some, under the lock; count it". */
static void see_write(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    history *known = history_of(checks, thread, event);
    const last_read *last = &known->last;
    if (acts_upon(thread, last) && !is_new_round(checks, last, event)) {
        uint64_t begin = begin_of(thread, last);
        if (!thread->locks && last->flow & SER_FLOW_DECIDES && last->locked == thread->locked)
            add_span(checks, begin, checks->position);
        else if (thread->locks)
            note_first(&thread->acts_from, begin);
    }
    known->last.is_open = known->fresh.is_open = false;
}

/* --- what a call leaves for its caller ----------------------------------------- */

static void leave_value(ser_checks *checks, const thread_state *thread, const ser_event *event)
{
    left_value *left = &history_of(checks, thread, event)->left;
    const open_call *call = &thread->calls.items[thread->calls.count - 1];
    *left = (left_value){call->number, call->begin, thread->calls.count, thread->chain};
}

/* Has a call that returned just now left the value for the one that reads? */
static bool takes_up(const thread_state *thread, const left_value *left)
{
    size_t depth = thread->calls.count;
    return left->chain == thread->chain && depth > 0 && left->depth == depth + 1 &&
           thread->calls.items[depth - 1].number < left->call;
}

static void see_left(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool is_plain = !ser_op_updates(op) && !(event->flow & SER_FLOW_ATOMIC);
    if (is_plain && ser_op_writes(op) && thread->calls.count) {
        leave_value(checks, thread, event);
        return;
    }
    const left_value *left = &history_of(checks, thread, event)->left;
    if (is_plain && !thread->locks && takes_up(thread, left))
        add_span(checks, left->begin, checks->position);
    else
        thread->chain++;
}

/* An atomic update that has taken something from a queue, say: what it returns tells the thread
 * what counts, as a section with a lock does. */
static bool answers(const ser_event *event)
{
    return ser_op_updates((ser_op)event->op) && event->flow & SER_FLOW_ATOMIC &&
           !(event->flow & SER_FLOW_DATA);
}

static void see_access(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (!thread->locks)
        thread->section++;
    see_left(checks, thread, event);
    if (ser_op_reads(op) && (!ser_op_writes(op) || !(event->flow & SER_FLOW_DATA)))
        see_read(checks, thread, event);
    if (ser_op_writes(op))
        see_write(checks, thread, event);
    thread->locked += answers(event);
}

static void see_acquire(ser_checks *checks, thread_state *thread)
{
    if (thread->locks++ > 0)
        return;
    thread->begin = checks->position;
    thread->section++;
    thread->locked++;
}

static void see_release(ser_checks *checks, thread_state *thread)
{
    if (thread->locks == 0 || --thread->locks > 0)
        return;
    thread->section++;
    if (thread->acts_from)
        add_span(checks, thread->acts_from - 1, checks->position);
    thread->acts_from = thread->looks_from = 0;
}

static void enter_call(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    open_call entered = {++checks->calls, checks->position, event->flow & SER_FLOW_KEEPS};
    ser_vector_push(&thread->calls, entered);
}

static void see_other(ser_checks *checks, thread_state *thread, const ser_event *event,
                      bool is_semaphore)
{
    ser_op op = (ser_op)event->op;
    bool is_lock = !(event->flags & SER_EVENT_INNER) && !(event->flow & SER_FLOW_ONCE);
    if ((ser_op_acquires(op) && is_lock) || (is_semaphore && ser_op_takes(op)))
        see_acquire(checks, thread);
    else if ((ser_op_releases(op) && is_lock) || is_semaphore)
        see_release(checks, thread);
    else if (ser_op_has(op, SER_AWAITS))
        thread->waits++;
    else if (ser_op_calls(op))
        enter_call(checks, thread, event);
    else if (ser_op_returns(op) && thread->calls.count)
        thread->calls.count--;
    thread->chain += ser_op_has(op, SER_AWAITS | SER_STARTS | SER_SIGNALS | SER_TESTS);
}

void ser_checks_see(ser_checks *checks, const ser_event *event, bool is_shared, bool is_lock)
{
    if (!checks->in_step)
        checks->step_begin = checks->position;
    checks->in_step = event->flags & SER_EVENT_JOINED;
    if (ser_op_takes_part((ser_op)event->op)) {
        thread_state *thread = ser_vector_slot(&checks->threads, event->thread);
        checks->last = event->thread;
        if (!ser_op_is_access((ser_op)event->op))
            see_other(checks, thread, event, is_lock);
        else if (is_shared)
            see_access(checks, thread, event);
    }
    checks->position++;
}

void ser_checks_finish(ser_checks *checks)
{
    if (checks->threads.count <= checks->last)
        return;
    const thread_state *thread = &checks->threads.items[checks->last];
    uint64_t from = thread->acts_from ? thread->acts_from : thread->looks_from;
    if (thread->locks && from)
        add_span(checks, from - 1, UINT64_MAX);
}

uint64_t ser_checks_end_of(const ser_checks *checks, uint64_t position)
{
    uint32_t number = ser_pairmap_get(&checks->begins, position, 0, 0);
    return number ? checks->spans.items[number - 1].end : 0;
}

size_t ser_checks_count(const ser_checks *checks)
{
    return checks->spans.count;
}
