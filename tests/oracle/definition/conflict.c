/* SPDX-License-Identifier: MIT */
/*
 * One function for each kind of conflict; in all of them i is the earlier event
 * and j the later one. events_conflict asks them in turn.
 */
#include "conflict.h"

static bool of_fork(const ser_event *a, const ser_event *b)
{
    return a->op == SER_OP_FORK && b->thread == a->object;
}

static bool of_join(const ser_event *a, const ser_event *b)
{
    return b->op == SER_OP_JOIN && a->thread == b->object;
}

static bool of_accesses(const ser_event *a, const ser_event *b)
{
    return is_access(a) && is_access(b) && a->object == b->object &&
           !(a->op == SER_OP_READ && b->op == SER_OP_READ);
}

static bool of_sections(const facts *f, size_t i, size_t j)
{
    uint32_t lock = event_at(f, i)->object;
    if (!is_release_of(f, i, lock) || !is_acquire_of(f, j, lock))
        return false;
    return event_at(f, i)->op == SER_OP_RELEASE || event_at(f, j)->op == SER_OP_ACQUIRE;
}

/* The first step after the wake-up and all that follow it in that thread. */
static bool of_wake_up(const facts *f, size_t i, size_t j)
{
    for (size_t step = j; step > i; step = f->previous[step])
        if (f->woken_by[step] == i)
            return true;
    return false;
}

static bool of_barrier(const facts *f, size_t i, size_t j)
{
    uint32_t barrier = event_at(f, i)->object;
    return is_operation(f, i, SER_OP_ARRIVE, barrier) &&
           is_operation(f, j, SER_OP_DEPART, barrier) && f->round[i] == f->round[j];
}

/* The acquires that hold the lock when the try fails. */
static bool of_holder_and_try(const facts *f, size_t i, size_t j)
{
    return event_at(f, j)->op == SER_OP_TRY_FAILED && is_acquire_of(f, i, event_at(f, j)->object) &&
           still_holds(f, i, j);
}

/* The next release after the failed try. */
static bool of_try_and_release(const facts *f, size_t i, size_t j)
{
    uint32_t lock = event_at(f, i)->object;
    if (event_at(f, i)->op != SER_OP_TRY_FAILED || !is_release_of(f, j, lock))
        return false;
    for (size_t between = i + 1; between < j; between++)
        if (is_release_of(f, between, lock))
            return false;
    return true;
}

bool events_conflict(const facts *f, size_t i, size_t j)
{
    const ser_event *a = event_at(f, i);
    const ser_event *b = event_at(f, j);
    if (!takes_part(f, i) || !takes_part(f, j))
        return false;
    return a->thread == b->thread || of_fork(a, b) || of_join(a, b) || of_accesses(a, b) ||
           of_sections(f, i, j) || of_wake_up(f, i, j) || of_barrier(f, i, j) || f->post[j] == i ||
           of_holder_and_try(f, i, j) || of_try_and_release(f, i, j);
}
