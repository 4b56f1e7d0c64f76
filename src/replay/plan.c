/* SPDX-License-Identifier: MIT */
#include "replay/plan.h"

#include <stdlib.h>

bool ser_operation_starts(const ser_run *run, uint32_t event)
{
    uint32_t before = ser_run_previous(run, event);
    return !(run->events[event].flags & SER_EVENT_CONTINUES) &&
           !(before && (run->events[before].flags & SER_EVENT_JOINED));
}

/* How many operations of its thread begin with an event. A skip event without a value is one
 * that was dropped. */
static uint64_t operations_at(const ser_run *run, uint32_t number)
{
    const ser_event *event = &run->events[number];
    if (event->op == SER_OP_SKIP)
        return event->flags & SER_EVENT_HAS_VALUE ? event->value : 0;
    return ser_operation_starts(run, number);
}

uint64_t *ser_operation_numbers(const ser_run *run)
{
    SER_VECTOR(uint64_t) made = {0}; /* by thread */
    uint64_t *numbers = ser_alloc((size_t)run->count + 1, sizeof *numbers);
    for (uint32_t i = 1; i <= run->count; i++)
        numbers[i] = *ser_vector_slot(&made, run->events[i].thread) += operations_at(run, i);
    ser_vector_free(&made);
    return numbers;
}

/* "T12" is 12. */
static bool read_number(const char *name, uint32_t *number)
{
    char *end;
    if (name[0] != 'T' || name[1] < '0' || name[1] > '9')
        return false;
    unsigned long value = strtoul(name + 1, &end, 10);
    *number = (uint32_t)value;
    return *end == '\0' && value <= UINT16_MAX;
}

static ser_status add_threads(ser_plan *plan, ser_error *error)
{
    const ser_run *run = plan->run;
    for (uint32_t thread = 0; thread < run->threads.count; thread++) {
        const ser_event_list *events = &run->threads.items[thread].events;
        const char *name = ser_symbols_name(run->symbols, SER_SPACE_THREAD, thread);
        uint32_t number;
        if (!read_number(name, &number))
            return ser_fail(error, SER_INPUT,
                            "the trace was not recorded from a program: there is a thread %s",
                            name);
        ser_plan_thread *added = ser_vector_slot(&plan->threads, number);
        added->thread = thread;
        for (size_t i = 0; i < events->count; i++)
            if (ser_operation_starts(run, events->items[i]))
                ser_vector_push(&added->starts, events->items[i]);
    }
    return SER_OK;
}

/* Threads of the run to their numbers of creation. To be freed. */
static uint32_t *find_creation_numbers(const ser_plan *plan)
{
    uint32_t *numbers = ser_alloc(plan->run->threads.count, sizeof *numbers);
    for (uint32_t i = 0; i < plan->threads.count; i++)
        if (plan->threads.items[i].starts.count)
            numbers[plan->threads.items[i].thread] = i;
    return numbers;
}

static void add_turn(ser_plan *plan, ser_turn turn)
{
    ser_turn *last = plan->turns.count ? &plan->turns.items[plan->turns.count - 1] : NULL;
    if (last && last->thread == turn.thread)
        *last = turn;
    else
        ser_vector_push(&plan->turns, turn);
}

/* What a thread has left out before an event comes with it. */
static void add_turns(ser_plan *plan, const uint32_t *order, size_t count)
{
    uint32_t *creation = find_creation_numbers(plan);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = creation[plan->run->events[order[i]].thread];
        uint64_t *planned = &plan->threads.items[number].planned, until = plan->numbers[order[i]];
        if (until <= *planned)
            continue; /* of the same operation as the event before */
        add_turn(plan, (ser_turn){.thread = number, .until = until});
        plan->operations += until - *planned;
        *planned = until;
    }
    free(creation);
}

ser_status ser_plan_make(ser_plan *plan, const ser_run *run, const uint32_t *order, size_t count,
                         ser_error *error)
{
    *plan = (ser_plan){.run = run, .numbers = ser_operation_numbers(run)};
    ser_status status = add_threads(plan, error);
    if (status == SER_OK)
        add_turns(plan, order, count);
    return status;
}

void ser_plan_fini(ser_plan *plan)
{
    for (size_t i = 0; i < plan->threads.count; i++)
        ser_vector_free(&plan->threads.items[i].starts);
    ser_vector_free(&plan->threads);
    ser_vector_free(&plan->turns);
    free(plan->numbers);
}

uint64_t ser_plan_operations_until(const ser_plan *plan, const uint32_t *order, size_t count)
{
    SER_VECTOR(uint64_t) made = {0}; /* by thread of the run */
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        *ser_vector_slot(&made, plan->run->events[order[i]].thread) = plan->numbers[order[i]];
    for (size_t i = 0; i < made.count; i++)
        all += made.items[i];
    ser_vector_free(&made);
    return all;
}
