/* SPDX-License-Identifier: MIT */
/*
 * Equal values: there is one set of writes for each variable and value (list_writes). A read
 * accepts the set of its own value, unless a write of the variable is missing in the trace
 * (find_unseen). Limits of reads whose value is data only: data_limits.h.
 */
#include "predict/model.h"

#include "base/pairmap.h"
#include "predict/data_limits.h"

enum { NOBODY = 0, SEVERAL = UINT32_MAX };

/* What is known of a variable. */
typedef struct variable_facts {
    uint32_t user;      /* 1 + the only thread that accesses it; NOBODY, SEVERAL */
    uint64_t initial;   /* its value before the first write */
    bool knows_initial; /* a read has shown it */
    bool unseen;        /* a read had another value than the write before it */
} variable_facts;

/* The writes of one value to one variable: a set of the rules. */
typedef struct maker {
    const ser_run *run;
    ser_reads *reads;
    SER_VECTOR(variable_facts) variables;
    bool *torn;       /* by event: a read of another value than its write had */
    ser_pairmap sets; /* value, variable -> set */
} maker;

const char *ser_model_name(ser_model model)
{
    static const char *const names[] = {"avp", "data", "candidate"};
    return names[model];
}

/* What a free leaves behind is no value: nothing accepts it. */
static bool has_value(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op) &&
           event->flags & SER_EVENT_HAS_VALUE;
}

/* A read that is no write: the value of a read-modify-write is what it wrote. */
static bool only_reads(const ser_event *event)
{
    return ser_op_reads((ser_op)event->op) && !ser_op_writes((ser_op)event->op);
}

/* Is it another value than was read before the first write? */
static bool differs_from_initial(variable_facts *variable, uint64_t value)
{
    bool differs = variable->knows_initial && variable->initial != value;
    variable->knows_initial = true;
    variable->initial = value;
    return differs;
}

/* Compares each read with its write. */
static void find_unseen(maker *make)
{
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (!has_value(event) || !only_reads(event))
            continue;
        variable_facts *variable = ser_vector_slot(&make->variables, event->object);
        uint32_t source = make->run->couple[i];
        const ser_event *write = &make->run->events[source];
        if (!source)
            make->torn[i] = differs_from_initial(variable, event->value);
        else
            make->torn[i] = has_value(write) && write->value != event->value;
        variable->unseen |= make->torn[i];
    }
}

/* Of variables that one thread uses, reads cannot change. */
static void find_users(maker *make)
{
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        variable_facts *variable = ser_vector_slot(&make->variables, event->object);
        if (variable->user == NOBODY)
            variable->user = event->thread + 1;
        else if (variable->user != event->thread + 1)
            variable->user = SEVERAL;
    }
}

static bool may_accept(const maker *make, uint32_t variable)
{
    const variable_facts *facts = &make->variables.items[variable];
    return facts->user == (uint32_t)SEVERAL && !facts->unseen;
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
    for (uint32_t i = 0; i < make->variables.count; i++) {
        const variable_facts *variable = &make->variables.items[i];
        if (variable->knows_initial && may_accept(make, i))
            visit(make, set_of(make, i, variable->initial), 0);
    }
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (has_value(event) && ser_op_writes((ser_op)event->op) && may_accept(make, event->object))
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

static void accept_equal_values(maker *make)
{
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (has_value(event) && only_reads(event) && may_accept(make, event->object))
            make->reads->rules.items[i].accepts =
                ser_pairmap_get(&make->sets, event->value, event->object, 0);
    }
}

void ser_model_make_data(ser_reads *reads, const ser_run *run)
{
    maker make = {.run = run, .reads = reads};
    make.torn = ser_alloc((size_t)run->count + 1, sizeof *make.torn);
    ser_reads_init(reads, run->count);
    find_users(&make);
    find_unseen(&make);
    list_writes(&make);
    accept_equal_values(&make);
    ser_data_limits_set(reads, run, make.torn);
    free(make.torn);
    ser_vector_free(&make.variables);
    ser_pairmap_fini(&make.sets);
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
