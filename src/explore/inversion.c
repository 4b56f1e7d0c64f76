/* SPDX-License-Identifier: MIT */
#include "explore/inversion.h"

#include "base/pairmap.h"

typedef SER_VECTOR(ser_nesting) nesting_list;

static uint32_t lock_of(const ser_run *run, uint32_t acquire)
{
    return run->events[acquire].object;
}

static void add_nesting(nesting_list *list, uint32_t outer, uint32_t inner)
{
    const ser_nesting found = {outer, inner};
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
static bool have_gate(const ser_run *run, const ser_nesting *one, const ser_nesting *other)
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

static bool are_inverted(const ser_run *run, const ser_nesting *one, const ser_nesting *other)
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

enum { MOST_NESTINGS = 1024 }; /* pairs of them are compared */

void ser_inversions_find(const ser_run *run, ser_reversal_list *list)
{
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

/* --- circles ------------------------------------------------------------------------ */

enum { FEWEST = 3, MOST_CIRCLES = 4, MOST_STEPS = 1 << 16 };

typedef struct circle_search {
    const ser_run *run;
    nesting_list nestings;
    ser_lock_circle circle;
    uint64_t steps; /* made so far */
    ser_lock_circle_list *found;
} circle_search;

/* Does it go on where the last one ends, in another thread than all before, without a lock that
 * keeps two of them apart? */
static bool goes_on(const circle_search *search, const ser_nesting *next)
{
    const ser_lock_circle *circle = &search->circle;
    const ser_run *run = search->run;
    if (lock_of(run, next->outer) != lock_of(run, circle->steps[circle->count - 1].inner))
        return false;
    for (uint32_t i = 0; i < circle->count; i++)
        if (run->events[next->inner].thread == run->events[circle->steps[i].inner].thread ||
            lock_of(run, next->outer) == lock_of(run, circle->steps[i].outer) ||
            have_gate(run, &circle->steps[i], next))
            return false;
    return true;
}

static bool is_closed(const circle_search *search)
{
    const ser_lock_circle *circle = &search->circle;
    return circle->count >= FEWEST &&
           lock_of(search->run, circle->steps[circle->count - 1].inner) ==
               lock_of(search->run, circle->steps[0].outer);
}

/* The first nesting of a circle has the lowest number, so that each is found once. */
static void extend(circle_search *search, size_t first)
{
    ser_lock_circle *circle = &search->circle;
    if (is_closed(search)) {
        ser_vector_push(search->found, *circle);
        return;
    }
    for (size_t i = first + 1; i < search->nestings.count; i++) {
        if (search->found->count >= MOST_CIRCLES || search->steps++ >= MOST_STEPS ||
            circle->count == SER_LONGEST_CIRCLE)
            return;
        if (!goes_on(search, &search->nestings.items[i]))
            continue;
        circle->steps[circle->count++] = search->nestings.items[i];
        extend(search, first);
        circle->count--;
    }
}

void ser_lock_circles_find(const ser_run *run, ser_lock_circle_list *list)
{
    circle_search search = {.run = run, .found = list};
    find_nestings(run, &search.nestings);
    if (search.nestings.count > MOST_NESTINGS)
        search.nestings.count = MOST_NESTINGS;
    for (size_t i = 0; i < search.nestings.count; i++) {
        search.circle.steps[0] = search.nestings.items[i];
        search.circle.count = 1;
        extend(&search, i);
    }
    ser_vector_free(&search.nestings);
}

/* How far the thread of the event goes: to its outer lock; 0: it is not in the circle. */
static uint32_t end_of(const ser_run *run, const ser_lock_circle *circle, uint32_t event)
{
    for (uint32_t i = 0; i < circle->count; i++)
        if (run->events[circle->steps[i].outer].thread == run->events[event].thread)
            return circle->steps[i].outer;
    return 0;
}

/* Others go on until they have started the threads of the circle. */
void ser_lock_circle_make(const ser_run *run, const ser_lock_circle *circle, ser_event_list *order)
{
    uint32_t last = 0, started = 0;
    for (uint32_t i = 0; i < circle->count; i++) {
        uint32_t outer = circle->steps[i].outer;
        uint32_t fork = run->threads.items[run->events[outer].thread].fork;
        last = outer > last ? outer : last;
        started = fork > started ? fork : started;
    }
    for (uint32_t i = 1; i <= last; i++) {
        uint32_t end = end_of(run, circle, i);
        if (ser_op_takes_part((ser_op)run->events[i].op) && i <= (end ? end : started))
            ser_vector_push(order, i);
    }
}
