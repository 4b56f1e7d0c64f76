/* SPDX-License-Identifier: MIT */
#include "predict/model/value_facts.h"

#include "base/pairmap.h"
#include "symbolic/guards.h"

/* No object lies below: the kernel maps nothing there (vm.mmap_min_addr). */
enum { LOWEST_ADDRESS = 65536 };

/* Is it another value than was read before the first write? */
static bool differs_from_initial(ser_variable_facts *variable, uint64_t value)
{
    bool differs = variable->knows_initial && variable->initial != value;
    variable->knows_initial = true;
    variable->initial = value;
    return differs;
}

/* What the first write of a variable says it held before. */
static void note_held(ser_value_facts *facts, const ser_run *run, const ser_event *write)
{
    ser_variable_facts *variable = ser_vector_slot(&facts->variables, write->object);
    uint32_t text = ser_event_guards(write);
    uint64_t held;
    if (!variable->is_written && text &&
        ser_guards_skip_held(ser_symbols_guards(run->symbols, text), &held))
        variable->opaque |= differs_from_initial(variable, held);
    variable->is_written = true;
}

/* Compares each read with its write. */
static void find_unseen(ser_value_facts *facts, const ser_run *run, bool by_texts)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (by_texts && ser_op_is_access((ser_op)event->op) && ser_op_writes((ser_op)event->op))
            note_held(facts, run, event);
        if (!ser_has_value(event) || !ser_only_reads(event))
            continue;
        ser_variable_facts *variable = ser_vector_slot(&facts->variables, event->object);
        uint32_t source = run->couple[i];
        const ser_event *write = &run->events[source];
        if (!source)
            facts->torn[i] = differs_from_initial(variable, event->value);
        else
            facts->torn[i] = ser_has_value(write) && write->value != event->value;
        variable->opaque |= facts->torn[i];
    }
}

/* Memory may have been freed right before the event: frees of what one thread uses are elided. */
static bool may_free(const ser_event *event)
{
    return ser_op_frees((ser_op)event->op) || ser_event_elided(event) > 0 ||
           (!ser_op_takes_part((ser_op)event->op) && event->flow);
}

/* An address that is stored again after memory may have been freed. */
static void find_recycled(ser_value_facts *facts, const ser_run *run)
{
    ser_pairmap stored = {0}; /* variable and address: the first event that stored it there */
    uint32_t freed = 0;
    for (uint32_t i = 0; i < facts->variables.count; i++)
        if (facts->variables.items[i].knows_initial)
            ser_pairmap_add(&stored, i, facts->variables.items[i].initial, 0);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (may_free(event))
            freed = i;
        if (!ser_has_value(event) || !ser_op_writes((ser_op)event->op) ||
            event->value < LOWEST_ADDRESS || !ser_may_accept(facts, event->object))
            continue;
        if (*ser_pairmap_add(&stored, event->object, event->value, i) < freed)
            facts->variables.items[event->object].opaque = true;
    }
    ser_pairmap_fini(&stored);
}

static void find_users(ser_value_facts *facts, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        ser_variable_facts *variable = ser_vector_slot(&facts->variables, event->object);
        if (variable->user == SER_USER_NONE)
            variable->user = event->thread + 1;
        else if (variable->user != event->thread + 1)
            variable->user = SER_USER_SEVERAL;
    }
}

void ser_value_facts_init(ser_value_facts *facts, const ser_run *run, bool by_texts)
{
    *facts = (ser_value_facts){0};
    facts->torn = ser_alloc((size_t)run->count + 1, sizeof *facts->torn);
    find_users(facts, run);
    find_unseen(facts, run, by_texts);
    find_recycled(facts, run);
}

void ser_value_facts_fini(ser_value_facts *facts)
{
    ser_vector_free(&facts->variables);
    free(facts->torn);
}

bool ser_find_old_value(const ser_value_facts *known, const ser_run *run, uint32_t event,
                        uint64_t *old)
{
    uint32_t source = run->couple[event];
    const ser_variable_facts *of = &known->variables.items[run->events[event].object];
    if (!ser_op_updates((ser_op)run->events[event].op) || of->opaque)
        return false;
    *old = source ? run->events[source].value : of->initial;
    return source ? ser_has_value(&run->events[source]) : of->knows_initial;
}
