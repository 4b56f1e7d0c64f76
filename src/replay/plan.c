/* SPDX-License-Identifier: MIT */
#include "replay/plan.h"

#include <stdlib.h>

bool ser_plan_starts_operation(const ser_run *run, uint32_t event)
{
    uint32_t before = ser_run_previous(run, event);
    return !(run->events[event].flags & SER_EVENT_CONTINUES) &&
           !(before && (run->events[before].flags & SER_EVENT_JOINED));
}

uint64_t ser_plan_operations_before(const ser_run *run, uint32_t event)
{
    uint64_t count = 0;
    uint32_t thread = run->events[event].thread;
    for (uint32_t eid = 1; eid < run->eid[event]; eid++)
        count += ser_plan_starts_operation(run, ser_run_at(run, thread, eid));
    return count;
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
            if (ser_plan_starts_operation(run, events->items[i]))
                ser_vector_push(&added->starts, events->items[i]);
    }
    return SER_OK;
}

static void add_turns(ser_plan *plan, const uint32_t *order, size_t count)
{
    SER_VECTOR(uint32_t) numbers = {0}; /* by thread of the run */
    for (uint32_t i = 0; i < plan->threads.count; i++)
        if (plan->threads.items[i].starts.count)
            *ser_vector_slot(&numbers, plan->threads.items[i].thread) = i;
    for (size_t i = 0; i < count; i++) {
        if (!ser_plan_starts_operation(plan->run, order[i]))
            continue;
        uint32_t number = numbers.items[plan->run->events[order[i]].thread];
        ser_turn *last = plan->turns.count ? &plan->turns.items[plan->turns.count - 1] : NULL;
        ser_turn turn = {.thread = number, .until = ++plan->threads.items[number].planned};
        plan->operations++;
        if (last && last->thread == number)
            *last = turn;
        else
            ser_vector_push(&plan->turns, turn);
    }
    ser_vector_free(&numbers);
}

ser_status ser_plan_make(ser_plan *plan, const ser_run *run, const uint32_t *order, size_t count,
                         ser_error *error)
{
    *plan = (ser_plan){.run = run};
    if (ser_symbols_has_note(run->symbols, SER_NOTE_SHARED))
        return ser_fail(error, SER_INPUT,
                        "the trace was recorded with --shared and cannot be replayed; record it "
                        "again without");
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
}
