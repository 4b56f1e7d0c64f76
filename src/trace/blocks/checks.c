/* SPDX-License-Identifier: MIT */
#include "trace/blocks/checks.h"

/* The last read of a variable by a thread that it may still act upon. */
typedef struct last_read {
    uint64_t begin;   /* where its section begins */
    uint64_t section; /* by number */
    uint64_t call;    /* in which it was made */
    uint64_t waits;   /* of the thread, before it */
    uint64_t locked;  /* sections of it with a lock, before it */
    uint16_t flow;
    bool is_open; /* the variable was not written since, nor its value looked at anew */
    bool again;   /* it was read again since, to be stored */
} last_read;

typedef struct thread_state {
    uint64_t begin;   /* of the section, if locks are held */
    uint64_t section; /* its number; each access outside is one of its own */
    uint64_t waits;
    uint64_t locked; /* how many sections with a lock it began */
    uint32_t locks;
    uint64_t acts_from; /* 1 + where the block begins that ends with this section; 0: none does */
    SER_VECTOR(uint64_t) calls;
} thread_state;

typedef struct span {
    uint64_t end;
} span;

struct ser_checks {
    uint64_t position;
    uint64_t calls; /* made so far, to number them */
    SER_VECTOR(thread_state) threads;
    ser_pairmap index; /* thread, variable: 1 + number of the last read */
    SER_VECTOR(last_read) reads;
    ser_pairmap begins; /* position: 1 + number of the span */
    SER_VECTOR(span) spans;
};

ser_checks *ser_checks_create(void)
{
    return ser_alloc(1, sizeof(ser_checks));
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
    return thread->calls.count ? thread->calls.items[thread->calls.count - 1] : 0;
}

static last_read *read_of(ser_checks *checks, const ser_event *event)
{
    uint32_t *number = ser_pairmap_add(&checks->index, event->thread, event->object, 0);
    if (*number == 0) {
        last_read none = {0};
        ser_vector_push(&checks->reads, none);
        *number = (uint32_t)checks->reads.count;
    }
    return &checks->reads.items[*number - 1];
}

/* A read whose value is only stored is none of whether to act: what was looked at before counts. */
static void see_read(ser_checks *checks, const thread_state *thread, const ser_event *event)
{
    last_read *last = read_of(checks, event);
    bool is_same = last->is_open && last->section == thread->section;
    if (last->is_open && !is_same && last->flow & SER_FLOW_DECIDES && event->flow & SER_FLOW_DATA) {
        last->again = true;
        return;
    }
    *last = (last_read){.begin = thread->locks ? thread->begin : checks->position,
                        .section = thread->section,
                        .call = call_of(thread),
                        .waits = thread->waits,
                        .locked = thread->locked,
                        .flow = event->flow | (is_same ? last->flow & SER_FLOW_DECIDES : 0),
                        .is_open = true};
}

static bool acts_upon(const thread_state *thread, const last_read *last)
{
    return last->is_open && last->section != thread->section && last->call == call_of(thread) &&
           last->waits == thread->waits &&
           (last->flow & SER_FLOW_DECIDES || (last->flow & SER_FLOW_DATA && !last->again));
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
    last_read *last = read_of(checks, event);
    if (acts_upon(thread, last)) {
        if (!thread->locks && last->flow & SER_FLOW_DECIDES && last->locked == thread->locked)
            add_span(checks, last->begin, checks->position);
        else if (thread->locks && (!thread->acts_from || last->begin + 1 < thread->acts_from))
            thread->acts_from = last->begin + 1;
    }
    last->is_open = false;
}

static void see_access(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (!thread->locks)
        thread->section++;
    if (ser_op_reads(op) && (!ser_op_writes(op) || !(event->flow & SER_FLOW_DATA)))
        see_read(checks, thread, event);
    if (ser_op_writes(op))
        see_write(checks, thread, event);
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
    thread->acts_from = 0;
}

static void see_other(ser_checks *checks, thread_state *thread, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool is_inner = event->flags & SER_EVENT_INNER;
    if (ser_op_acquires(op) && !is_inner)
        see_acquire(checks, thread);
    else if (ser_op_releases(op) && !is_inner)
        see_release(checks, thread);
    else if (ser_op_has(op, SER_AWAITS | SER_STARTS))
        thread->waits++;
    else if (ser_op_calls(op))
        ser_vector_push(&thread->calls, ++checks->calls);
    else if (ser_op_returns(op) && thread->calls.count)
        thread->calls.count--;
}

void ser_checks_see(ser_checks *checks, const ser_event *event, bool is_shared)
{
    if (ser_op_takes_part((ser_op)event->op)) {
        thread_state *thread = ser_vector_slot(&checks->threads, event->thread);
        if (!ser_op_is_access((ser_op)event->op))
            see_other(checks, thread, event);
        else if (is_shared)
            see_access(checks, thread, event);
    }
    checks->position++;
}

uint64_t ser_checks_end_of(const ser_checks *checks, uint64_t position)
{
    uint32_t number = ser_pairmap_get(&checks->begins, position, 0, 0);
    return number ? checks->spans.items[number - 1].end : 0;
}

bool ser_checks_any(const ser_checks *checks)
{
    return checks->spans.count > 0;
}
