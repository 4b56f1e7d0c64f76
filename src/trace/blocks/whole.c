/* SPDX-License-Identifier: MIT */
/*
 * A thread's first call is followed until it returns: what it shares, with which lock, is kept.
 * Whether all that is protected is known after the last event (ser_whole_finish).
 */
#include "trace/blocks/whole.h"

#include "base/pairmap.h"
#include "base/vector.h"
#include "trace/blocks/protection.h"

enum {
    FEWEST_SECTIONS = 2,
    MOST_SECTIONS = 16,
    MOST_USES = 1 << 12, /* of shared data, in a call that is looked at */
};

/* A variable that a call accesses. */
typedef struct use {
    uint32_t variable;
    uint32_t lock;         /* the first one of the section; SER_NO_OBJECT: none */
    uint32_t section;      /* that wrote it last; 0: none did */
    uint64_t change;       /* by all its writes */
    bool is_changed_twice; /* in different sections */
} use;

typedef SER_VECTOR(use) use_list;

typedef struct thread_state {
    uint32_t calls, locks; /* open ones, held ones */
    uint64_t begin;        /* of the first call */
    use_list uses;
    uint32_t sites[MOST_SECTIONS]; /* where its sections begin */
    uint32_t sections;             /* of them */
    uint32_t inner;                /* in the function that it calls */
    uint32_t lock;                 /* the first one of the section */
    bool is_excluded;
} thread_state;

typedef struct candidate {
    uint64_t begin, end;
    use_list uses;
} candidate;

struct ser_whole {
    uint64_t position;
    ser_protection protection;
    SER_VECTOR(thread_state) threads;
    SER_VECTOR(candidate) candidates;
    ser_pairmap begins;       /* position: 1 + number of the candidate */
    ser_pairmap known;        /* first position of a call, variable: 1 + number of the use */
    SER_VECTOR(uint64_t) now; /* by variable: its last value */
    bool any;
};

ser_whole *ser_whole_create(void)
{
    return ser_alloc(1, sizeof(ser_whole));
}

void ser_whole_destroy(ser_whole *whole)
{
    if (!whole)
        return;
    for (size_t i = 0; i < whole->threads.count; i++)
        ser_vector_free(&whole->threads.items[i].uses);
    for (size_t i = 0; i < whole->candidates.count; i++)
        ser_vector_free(&whole->candidates.items[i].uses);
    ser_vector_free(&whole->threads);
    ser_vector_free(&whole->candidates);
    ser_protection_fini(&whole->protection);
    ser_pairmap_fini(&whole->begins);
    ser_pairmap_fini(&whole->known);
    ser_vector_free(&whole->now);
    free(whole);
}

static void enter_call(const ser_whole *whole, thread_state *thread)
{
    if (thread->calls++ == 0) {
        thread->begin = whole->position;
        thread->uses.count = thread->sections = 0;
        thread->is_excluded = false;
    }
    if (thread->calls == 2)
        thread->inner = 0;
}

static void leave_call(ser_whole *whole, thread_state *thread)
{
    if (--thread->calls > 0 || thread->is_excluded || thread->sections < FEWEST_SECTIONS)
        return;
    const candidate found = {thread->begin, whole->position, thread->uses};
    ser_vector_push(&whole->candidates, found);
    thread->uses = (use_list){0};
}

static void begin_section(thread_state *thread, const ser_event *event)
{
    thread->lock = event->object;
    thread->is_excluded |= event->site == SER_NO_SITE || thread->sections == MOST_SECTIONS ||
                           (thread->calls > 1 && thread->inner++ > 0);
    for (uint32_t i = 0; i < thread->sections && !thread->is_excluded; i++)
        thread->is_excluded = thread->sites[i] == event->site;
    if (!thread->is_excluded)
        thread->sites[thread->sections++] = event->site;
}

static void see_lock(thread_state *thread, const ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    if (event->flow & SER_FLOW_ONCE)
        thread->is_excluded = true;
    else if (ser_op_releases((ser_op)event->op))
        thread->locks -= thread->locks > 0;
    else if (thread->locks++ == 0)
        begin_section(thread, event);
}

static void note_write(const ser_whole *whole, const thread_state *thread, use *of,
                       const ser_event *event)
{
    of->change += event->value - whole->now.items[event->object];
    of->is_changed_twice |= of->section && of->section != thread->sections;
    of->section = thread->sections;
}

static void see_shared(ser_whole *whole, thread_state *thread, const ser_event *event)
{
    uint32_t lock = thread->locks ? thread->lock : SER_NO_OBJECT;
    thread->is_excluded |= !thread->calls || thread->uses.count == MOST_USES;
    if (thread->is_excluded)
        return;
    uint32_t *number = ser_pairmap_add(&whole->known, thread->begin, event->object, 0);
    if (*number == 0) {
        const use made = {.variable = event->object, .lock = lock};
        ser_vector_push(&thread->uses, made);
        *number = (uint32_t)thread->uses.count;
    }
    use *of = &thread->uses.items[*number - 1];
    thread->is_excluded = of->lock != lock;
    if (ser_op_writes((ser_op)event->op))
        note_write(whole, thread, of, event);
}

void ser_whole_see(ser_whole *whole, const ser_event *event, bool is_shared, bool acts)
{
    ser_op op = (ser_op)event->op;
    thread_state *thread = ser_vector_slot(&whole->threads, event->thread);
    uint64_t *now = ser_op_is_access(op) ? ser_vector_slot(&whole->now, event->object) : NULL;
    ser_protection_see(&whole->protection, event);
    thread->is_excluded |= acts;
    if (ser_op_calls(op))
        enter_call(whole, thread);
    else if (ser_op_returns(op) && thread->calls)
        leave_call(whole, thread);
    else if (ser_op_acquires(op) || ser_op_releases(op))
        see_lock(thread, event);
    else if (is_shared)
        see_shared(whole, thread, event);
    else if (ser_op_has(op, SER_AWAITS | SER_STARTS | SER_SIGNALS | SER_TESTS))
        thread->is_excluded = true;
    if (now)
        *now = event->value;
    whole->position++;
}

/* Does the call undo at the end what it has done at the beginning? Then others are meant to see
 * it: it counts itself in and out, or holds something. */
static bool is_undone(const use *of)
{
    return of->is_changed_twice && of->change == 0;
}

static bool is_wanted(const ser_whole *whole, const candidate *call)
{
    for (size_t i = 0; i < call->uses.count; i++) {
        const use *of = &call->uses.items[i];
        if (!ser_protection_has(&whole->protection, of->variable, of->lock) || is_undone(of))
            return false;
    }
    return call->uses.count > 0;
}

void ser_whole_finish(ser_whole *whole)
{
    for (uint32_t i = 0; i < whole->candidates.count; i++) {
        const candidate *call = &whole->candidates.items[i];
        if (!is_wanted(whole, call))
            continue;
        *ser_pairmap_add(&whole->begins, call->begin, 0, 0) = i + 1;
        whole->any = true;
    }
}

bool ser_whole_any(const ser_whole *whole)
{
    return whole->any;
}

bool ser_whole_begins(const ser_whole *whole, uint64_t position)
{
    return ser_pairmap_get(&whole->begins, position, 0, 0) != 0;
}
