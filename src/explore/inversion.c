/* SPDX-License-Identifier: MIT */
#include "explore/inversion.h"

#include "base/pairmap.h"

/* Two locks, one inside the other: where they are taken. */
typedef struct nesting {
    uint32_t outer, inner;
} nesting;

typedef SER_VECTOR(nesting) nesting_list;

static uint32_t lock_of(const ser_run *run, uint32_t acquire)
{
    return run->events[acquire].object;
}

static void add_nesting(nesting_list *list, uint32_t outer, uint32_t inner)
{
    const nesting found = {outer, inner};
    ser_vector_push(list, found);
}

static void add_nestings(const ser_run *run, uint32_t inner, nesting_list *list)
{
    for (uint32_t h = ser_run_held(run, inner); h; h = ser_run_next_held(run, inner, h)) {
        uint32_t outer = run->holds.items[h].acquire;
        if (outer < inner && ser_op_excludes((ser_op)run->events[outer].op) &&
            lock_of(run, outer) != lock_of(run, inner))
            add_nesting(list, outer, inner);
    }
}

/* Do both hold a third lock? */
static bool have_gate(const ser_run *run, const nesting *one, const nesting *other)
{
    for (uint32_t a = ser_run_held(run, one->inner); a; a = ser_run_next_held(run, one->inner, a))
        for (uint32_t b = ser_run_held(run, other->inner); b;
             b = ser_run_next_held(run, other->inner, b)) {
            uint32_t lock = lock_of(run, run->holds.items[a].acquire);
            if (lock == lock_of(run, run->holds.items[b].acquire) &&
                lock != lock_of(run, one->outer) && lock != lock_of(run, one->inner))
                return true;
        }
    return false;
}

static bool are_inverted(const ser_run *run, const nesting *one, const nesting *other)
{
    return run->events[one->inner].thread != run->events[other->inner].thread &&
           lock_of(run, one->outer) == lock_of(run, other->inner) &&
           lock_of(run, one->inner) == lock_of(run, other->outer) && one->inner < other->outer &&
           !have_gate(run, one, other);
}

/* Each pair of locks once, in that order, by the thread that was first. */
static void find_nestings(const ser_run *run, nesting_list *list)
{
    ser_pairmap known = {0};
    nesting_list here = {0};
    for (uint32_t i = 1; i <= run->count; i++) {
        if (!ser_op_excludes((ser_op)run->events[i].op))
            continue;
        here.count = 0;
        add_nestings(run, i, &here);
        for (size_t n = 0; n < here.count; n++) {
            uint64_t locks = (uint64_t)lock_of(run, here.items[n].outer) << 32 |
                             lock_of(run, here.items[n].inner);
            uint32_t *seen = ser_pairmap_add(&known, locks, run->events[i].thread, 0);
            if (!*seen)
                ser_vector_push(list, here.items[n]);
            *seen = 1;
        }
    }
    ser_vector_free(&here);
    ser_pairmap_fini(&known);
}

void ser_inversions_find(const ser_run *run, ser_reversal_list *list)
{
    enum { MOST_NESTINGS = 1024 }; /* pairs of them are compared */
    nesting_list nestings = {0};
    find_nestings(run, &nestings);
    size_t count = nestings.count < MOST_NESTINGS ? nestings.count : MOST_NESTINGS;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (are_inverted(run, &nestings.items[a], &nestings.items[b])) {
                const ser_reversal found = {nestings.items[a].inner, nestings.items[b].outer};
                ser_vector_push(list, found);
            }
    ser_vector_free(&nestings);
}
