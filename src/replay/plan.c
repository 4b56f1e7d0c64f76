/* SPDX-License-Identifier: MIT */
#include "replay/plan.h"

#include <stdlib.h>

#include "base/output/topics.h"

bool ser_operation_starts(const ser_run *run, uint32_t event)
{
    uint32_t before = ser_run_previous(run, event);
    return !(run->events[event].flags & SER_EVENT_CONTINUES) &&
           !(before && (run->events[before].flags & SER_EVENT_JOINED));
}

/* What a thread did last, to see whether its next event is part of the same operation. */
typedef struct progress {
    uint64_t made;        /* operations */
    uint8_t last, before; /* what the last two were; SER_OP_SKIP: not known */
} progress;

static void make_operation(progress *thread, uint8_t op, uint64_t count)
{
    thread->made += count;
    thread->before = count > 1 ? op : thread->last;
    thread->last = op;
}

/* A copy that was recorded in pieces is two operations, a read and a write, whose events come in
 * turns. */
static uint64_t continued_operation(const progress *thread, uint8_t op)
{
    if (!ser_op_is_access((ser_op)op))
        return thread->made;
    bool is_last = thread->last == op || thread->last == SER_OP_SKIP;
    bool is_before = thread->before == op || thread->before == SER_OP_SKIP;
    return thread->made - (!is_last && is_before && thread->made > 1);
}

/* A skip event is no operation itself. */
static uint64_t number_operation(const ser_run *run, uint32_t number, progress *thread)
{
    const ser_event *event = &run->events[number];
    uint64_t elided = ser_event_elided(event);
    if (elided > 0)
        make_operation(thread, SER_OP_SKIP, elided);
    if (!ser_op_takes_part((ser_op)event->op))
        return thread->made;
    if (!ser_operation_starts(run, number))
        return continued_operation(thread, event->op);
    make_operation(thread, event->op, 1);
    return thread->made;
}

uint64_t *ser_operation_numbers(const ser_run *run)
{
    SER_VECTOR(progress) threads = {0};
    uint64_t *numbers = ser_alloc((size_t)run->count + 1, sizeof *numbers);
    for (uint32_t i = 1; i <= run->count; i++)
        numbers[i] = number_operation(run, i, ser_vector_slot(&threads, run->events[i].thread));
    ser_vector_free(&threads);
    return numbers;
}

typedef SER_VECTOR(bool) flag_list;

/* By variable: do several threads access it? */
static void find_shared(const ser_run *run, flag_list *shared)
{
    SER_VECTOR(uint32_t) users = {0}; /* by variable: a thread plus one; 0: none yet */
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        uint32_t *user = ser_vector_slot(&users, event->object);
        *ser_vector_slot(shared, event->object) |= *user != 0 && *user != event->thread + 1;
        *user = event->thread + 1;
    }
    ser_vector_free(&users);
}

static void find_needs_of(ser_plan *plan, const ser_event_list *events, const flag_list *shared)
{
    uint64_t least = UINT64_MAX; /* operation of accesses that come later, and are not private */
    for (size_t i = events->count; i > 0; i--) {
        uint32_t number = events->items[i - 1];
        const ser_event *event = &plan->run->events[number];
        bool is_access = ser_op_is_access((ser_op)event->op);
        bool is_private = is_access && !shared->items[event->object];
        uint64_t operation = plan->numbers[number];
        plan->needs[number] = is_private && operation >= least ? least - 1 : operation;
        if (is_access && !is_private && operation < least)
            least = operation; /* not of an elided call, which is recorded late */
    }
}

/* A range is one operation, and a witness may let others come between its cells. If its
 * thread-private cells needed the whole operation, the shared ones would come too early. */
static void find_needs(ser_plan *plan)
{
    const ser_run *run = plan->run;
    flag_list shared = {0};
    find_shared(run, &shared);
    plan->needs = ser_alloc((size_t)run->count + 1, sizeof *plan->needs);
    for (size_t i = 0; i < run->threads.count; i++)
        find_needs_of(plan, &run->threads.items[i].events, &shared);
    ser_vector_free(&shared);
}

/* --- numbers of threads ------------------------------------------------------- */

/* Threads as they are created. */
typedef struct creations {
    const ser_run *run;
    ser_event_list threads, numbers; /* and the numbers that they had in the run, in any order */
    bool *is_known;                  /* by thread */
} creations;

static void note_creation(creations *all, uint32_t number)
{
    const ser_event *event = &all->run->events[number];
    if (!ser_op_forks((ser_op)event->op) || all->is_known[event->object])
        return;
    all->is_known[event->object] = true;
    ser_vector_push(&all->threads, event->object);
    ser_vector_push(&all->numbers, all->run->threads.items[event->object].number);
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* A program numbers threads as it creates them. Where several threads create some, an interleaving
 * may do that in another order than the run, or not create all of them. */
static void number_threads(ser_plan *plan, const uint32_t *order, size_t count)
{
    const ser_run *run = plan->run;
    creations all = {.run = run, .is_known = ser_alloc(run->threads.count, 1)};
    for (uint32_t thread = 0; thread < run->threads.count; thread++)
        ser_vector_push(&plan->created, run->threads.items[thread].number);
    for (size_t i = 0; i < count; i++)
        note_creation(&all, order[i]);
    for (uint32_t number = 1; number <= run->count; number++)
        note_creation(&all, number);
    if (all.numbers.count)
        qsort(all.numbers.items, all.numbers.count, sizeof *all.numbers.items, compare_numbers);
    for (size_t i = 0; i < all.threads.count; i++)
        plan->created.items[all.threads.items[i]] = all.numbers.items[i];
    ser_vector_free(&all.threads);
    ser_vector_free(&all.numbers);
    free(all.is_known);
}

static ser_status add_threads(ser_plan *plan, ser_error *error)
{
    const ser_run *run = plan->run;
    for (uint32_t thread = 0; thread < run->threads.count; thread++) {
        const ser_event_list *events = &run->threads.items[thread].events;
        uint32_t number = plan->created.items[thread];
        if (number == SER_NO_OBJECT)
            return ser_fail(error, SER_INPUT,
                            "the trace was not recorded from a program: there is a thread %s",
                            ser_symbols_name(run->symbols, SER_SPACE_THREAD, thread));
        ser_plan_thread *added = ser_vector_slot(&plan->threads, number);
        added->known = true;
        added->thread = thread;
        for (size_t i = 0; i < events->count; i++)
            if (ser_operation_starts(run, events->items[i]))
                ser_vector_push(&added->starts, events->items[i]);
    }
    return SER_OK;
}

/* Was the thread notified before the event, which is the first of its turn? */
static bool is_woken(const ser_run *run, uint32_t event)
{
    uint32_t before = ser_run_previous(run, event);
    return before && ser_op_waits((ser_op)run->events[before].op) && run->couple[before];
}

static void add_turn(ser_plan *plan, uint32_t thread, uint64_t until, uint32_t event)
{
    ser_turn *last = plan->turns.count ? &plan->turns.items[plan->turns.count - 1] : NULL;
    if (last && last->thread == thread) {
        last->until = until;
        return;
    }
    ser_log_debug(PLAN, "turn %zu: T%u, from event %u on", plan->turns.count, thread, event);
    ser_turn turn = {.thread = thread, .woken = is_woken(plan->run, event), .until = until};
    ser_vector_push(&plan->turns, turn);
}

/* For each thread, its last event of an interleaving but a failed try to take a lock. A failed
 * try has no effect on other threads; and in the interleaving it may succeed, and take a lock
 * that they need. To be freed. */
static uint32_t *find_last_events(const ser_run *run, const uint32_t *order, size_t count)
{
    uint32_t *last = ser_alloc(run->threads.count, sizeof *last);
    for (size_t i = 0; i < count; i++)
        if (!ser_op_tests((ser_op)run->events[order[i]].op))
            last[run->events[order[i]].thread] = order[i];
    return last;
}

/* Elided operations of a thread belong to the turn of the event that follows them. */
static void add_turns(ser_plan *plan, const uint32_t *order, size_t count)
{
    uint32_t *last = find_last_events(plan->run, order, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t thread = plan->run->events[order[i]].thread;
        uint32_t number = plan->created.items[thread];
        uint64_t *planned = &plan->threads.items[number].planned;
        uint64_t until = plan->needs[order[i]];
        if (until > *planned && order[i] <= last[thread]) {
            add_turn(plan, number, until, order[i]);
            plan->operations += until - *planned;
            *planned = until;
        }
        ser_vector_push(&plan->made, plan->operations);
    }
    free(last);
}

/* --- what need not be recorded again ------------------------------------------ */

enum { SHORTEST_GAP = 64 }; /* operations: fewer are recorded in less time than they are found */

static void add_gap(ser_plan *plan, uint32_t thread, uint64_t before, uint64_t end, bool goes_on)
{
    const ser_gap gap = {.before = before, .end = end, .thread = thread};
    if (goes_on)
        plan->gaps.items[plan->gaps.count - 1].following = (uint32_t)plan->gaps.count + 1;
    ser_vector_push(&plan->gaps, gap);
}

/* Also behind its last event, where it may have to run so that others can go on. */
static void add_gaps_of(ser_plan *plan, uint32_t number)
{
    const ser_event_list *starts = &plan->threads.items[number].starts;
    size_t first = plan->gaps.count;
    uint64_t before = 0;
    for (size_t i = 0; i < starts->count; i++) {
        uint64_t operation = plan->numbers[starts->items[i]];
        if (operation > before + SHORTEST_GAP)
            add_gap(plan, number, before, operation - 1, plan->gaps.count > first);
        before = operation;
    }
    if (plan->gaps.count > first)
        add_gap(plan, number, before, UINT64_MAX, true);
}

static void link_turns(ser_plan *plan)
{
    SER_VECTOR(uint32_t) following = {0}; /* by thread */
    for (size_t i = plan->turns.count; i > 0; i--) {
        ser_turn *turn = &plan->turns.items[i - 1];
        uint32_t *next = ser_vector_slot(&following, turn->thread);
        turn->following = *next;
        *next = (uint32_t)i;
    }
    ser_vector_free(&following);
}

ser_status ser_plan_make(ser_plan *plan, const ser_run *run, const uint32_t *order, size_t count,
                         ser_error *error)
{
    *plan = (ser_plan){.run = run, .numbers = ser_operation_numbers(run)};
    find_needs(plan);
    number_threads(plan, order, count);
    ser_status status = add_threads(plan, error);
    if (status == SER_OK)
        add_turns(plan, order, count);
    link_turns(plan);
    for (uint32_t i = 0; i < plan->threads.count; i++)
        add_gaps_of(plan, i);
    ser_log_info(PLAN, "%zu of %u events in %zu turns with %llu operations", count, run->count,
                 plan->turns.count, (unsigned long long)plan->operations);
    return status;
}

void ser_plan_fini(ser_plan *plan)
{
    for (size_t i = 0; i < plan->threads.count; i++)
        ser_vector_free(&plan->threads.items[i].starts);
    ser_vector_free(&plan->threads);
    ser_vector_free(&plan->turns);
    ser_vector_free(&plan->gaps);
    ser_vector_free(&plan->made);
    ser_vector_free(&plan->created);
    free(plan->numbers);
    free(plan->needs);
}
