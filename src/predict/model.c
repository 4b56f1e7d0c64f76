/* SPDX-License-Identifier: MIT */
/*
 * Equal values: there is one set of writes for each variable and value (list_writes). A read
 * accepts the set of its own value, unless a write of the variable is missing in the trace
 * (value_facts.h). Guards: guard_accepts.h. Limits of reads whose value is data only:
 * data_limits.h.
 */
#include "predict/model.h"

#include "base/pairmap.h"
#include "predict/model/data_limits.h"
#include "predict/model/delayed_limits.h"
#include "predict/model/guard_accepts.h"
#include "predict/model/guard_bounds.h"
#include "predict/model/value_facts.h"

/* The writes of one value to one variable: a set of the rules. */
typedef struct maker {
    const ser_run *run;
    ser_reads *reads;
    const ser_value_facts *facts;
    ser_pairmap sets; /* value, variable -> set */
} maker;

const char *ser_model_name(ser_model model)
{
    static const char *const names[] = {"avp", "data", "guards", "candidate"};
    return names[model];
}

/* The set of a value; a new one has no writes yet. */
static ser_accept_set *set_of(maker *make, uint32_t variable, uint64_t value)
{
    uint32_t fresh = (uint32_t)make->reads->sets.count;
    uint32_t number = *ser_pairmap_add(&make->sets, value, variable, fresh);
    if (number == fresh)
        ser_vector_push(&make->reads->sets, ((ser_accept_set){0}));
    return &make->reads->sets.items[number];
}

typedef void (*write_visitor)(maker *make, ser_accept_set *set, uint32_t write);

/* All writes with values, rising within each set: the initial value, 0, comes first. */
static void visit_writes(maker *make, write_visitor visit)
{
    for (uint32_t i = 0; i < make->facts->variables.count; i++) {
        const ser_variable_facts *variable = &make->facts->variables.items[i];
        if (variable->knows_initial && ser_may_accept(make->facts, i))
            visit(make, set_of(make, i, variable->initial), 0);
    }
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (ser_has_value(event) && ser_op_writes((ser_op)event->op) &&
            ser_may_accept(make->facts, event->object))
            visit(make, set_of(make, event->object, event->value), i);
    }
}

static void count_write(maker *make, ser_accept_set *set, uint32_t write)
{
    (void)make;
    (void)write;
    set->count++;
}

static void place_write(maker *make, ser_accept_set *set, uint32_t write)
{
    make->reads->accepted.items[set->first + set->count++] = write;
}

/* Counted first, so that the writes of a set stand together. */
static void list_writes(maker *make)
{
    size_t places = 0;
    visit_writes(make, count_write);
    for (size_t i = 0; i < make->reads->sets.count; i++) {
        ser_accept_set *set = &make->reads->sets.items[i];
        set->first = places;
        places += set->count;
        set->count = 0;
    }
    ser_vector_extend(&make->reads->accepted, places);
    visit_writes(make, place_write);
}

static void accept_equal_values(maker *make, bool of_updates)
{
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        uint64_t value = event->value;
        if (!ser_has_value(event) || !ser_may_accept(make->facts, event->object))
            continue;
        if (ser_only_reads(event) ||
            (of_updates && ser_find_old_value(make->facts, make->run, i, &value)))
            make->reads->rules.items[i].accepts =
                ser_pairmap_get(&make->sets, value, event->object, 0);
    }
}

/* `of_updates`: what read-modify-writes have read counts, too. */
static void make_data(ser_reads *reads, const ser_run *run, const ser_value_facts *facts,
                      bool of_updates)
{
    maker make = {.run = run, .reads = reads, .facts = facts};
    ser_reads_init(reads, run->count);
    list_writes(&make);
    accept_equal_values(&make, of_updates);
    ser_data_limits_set(reads, run, facts->torn);
    ser_pairmap_fini(&make.sets);
}

void ser_model_make_data(ser_reads *reads, const ser_run *run)
{
    ser_value_facts facts;
    ser_value_facts_init(&facts, run, false);
    make_data(reads, run, &facts, false);
    ser_value_facts_fini(&facts);
}

static void make_guards(ser_reads *reads, const ser_run *run, bool as_bounds)
{
    ser_value_facts facts;
    ser_value_facts_init(&facts, run, run->symbols != NULL);
    make_data(reads, run, &facts, true);
    ser_guard_accepts_set(reads, run, &facts);
    ser_delayed_limits_set(reads, run, facts.torn);
    if (as_bounds)
        ser_guard_bounds_set(reads, run, &facts);
    ser_value_facts_fini(&facts);
}

void ser_model_make_guards(ser_reads *reads, const ser_run *run)
{
    make_guards(reads, run, false);
}

void ser_model_make_guard_bounds(ser_reads *reads, const ser_run *run)
{
    make_guards(reads, run, true);
}

bool ser_model_computes(const ser_run *run)
{
    return ser_guard_bounds_are_needed(run);
}

bool ser_model_has_guards(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_event_guards(event) || (ser_op_updates((ser_op)event->op) && ser_has_value(event)))
            return true;
    }
    return false;
}

bool ser_model_has_values(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_has_value(&run->events[i]))
            return true;
    return false;
}

ser_model ser_model_shown(ser_model model, const ser_run *run)
{
    bool tells_more = model == SER_MODEL_DATA || model == SER_MODEL_GUARDS;
    if (tells_more && !run->tells_values)
        return SER_MODEL_AVP;
    return model == SER_MODEL_GUARDS && !ser_model_has_guards(run) ? SER_MODEL_DATA : model;
}

/* Does the trace say which read-modify-writes are compare-exchanges? */
static bool has_flows(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->events[i].flow & (SER_FLOW_DATA | SER_FLOW_MODIFIES))
            return true;
    return false;
}

/* Is a read-modify-write of the step a compare-exchange? All of a step are alike. */
static bool may_compare(const ser_run *run, uint32_t event)
{
    uint32_t last = ser_run_step_last(run, event);
    for (uint32_t i = ser_run_step_first(run, event); i <= last; i++)
        if (!(run->events[i].flow & SER_FLOW_MODIFIES))
            return true;
    return false;
}

void ser_model_make_candidate(ser_reads *reads, const ser_run *run)
{
    bool knows_flows = has_flows(run);
    ser_model_make_data(reads, run);
    for (uint32_t i = 1; i <= run->count; i++) {
        ser_op op = (ser_op)run->events[i].op;
        bool updates = ser_op_reads(op) && ser_op_writes(op);
        if (updates && knows_flows && may_compare(run, i))
            continue;
        reads->rules.items[i].limit = SER_LIMIT_NONE;
        reads->writes_anyway.items[i] = updates;
    }
}
