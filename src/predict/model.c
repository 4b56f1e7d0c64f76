/* SPDX-License-Identifier: MIT */
/*
 * Equal values: writes are sorted into classes, one for each variable and value (list_writes).
 * A read accepts the class of its own value, unless a write of the variable is missing in the trace
 * (find_unseen). Reads of one class share one set.
 */
#include "predict/model.h"

#include "base/pairmap.h"

/* What is known of a variable. */
typedef struct variable_facts {
    uint64_t initial;   /* its value before the first write */
    bool knows_initial; /* a read has shown it */
    bool unseen;        /* a read had another value than the write before it */
} variable_facts;

/* The writes of one value to one variable. */
typedef struct value_class {
    uint32_t set; /* of the rules; 0: not made yet */
    ser_event_list writes;
} value_class;

typedef struct maker {
    const ser_run *run;
    ser_reads *reads;
    SER_VECTOR(variable_facts) variables;
    ser_pairmap numbers; /* value, variable -> index of the class */
    SER_VECTOR(value_class) classes;
} maker;

const char *ser_model_name(ser_model model)
{
    static const char *const names[] = {"avp", "data", "candidate"};
    return names[model];
}

static bool has_value(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && event->flags & SER_EVENT_HAS_VALUE;
}

/* A read that is no write: the value of a read-modify-write is what it wrote. */
static bool only_reads(const ser_event *event)
{
    return ser_op_reads((ser_op)event->op) && !ser_op_writes((ser_op)event->op);
}

ser_model ser_model_strongest(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (has_value(&run->events[i]))
            return SER_MODEL_DATA;
    return SER_MODEL_AVP;
}

static void compare_with_initial(variable_facts *variable, uint64_t value)
{
    if (variable->knows_initial && variable->initial != value)
        variable->unseen = true;
    variable->knows_initial = true;
    variable->initial = value;
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
            compare_with_initial(variable, event->value);
        else if (has_value(write) && write->value != event->value)
            variable->unseen = true;
    }
}

static value_class *class_of(maker *make, uint32_t variable, uint64_t value)
{
    uint32_t fresh = (uint32_t)make->classes.count;
    uint32_t number = *ser_pairmap_add(&make->numbers, value, variable, fresh);
    if (number == fresh)
        ser_vector_push(&make->classes, ((value_class){0}));
    return &make->classes.items[number];
}

static void add_write(maker *make, uint32_t variable, uint64_t value, uint32_t write)
{
    ser_event_list *writes = &class_of(make, variable, value)->writes;
    ser_vector_push(writes, write);
}

/* Writes of each class in the order of the trace; the initial value, 0, comes first. */
static void list_writes(maker *make)
{
    for (uint32_t i = 0; i < make->variables.count; i++) {
        const variable_facts *variable = &make->variables.items[i];
        if (variable->knows_initial && !variable->unseen)
            add_write(make, i, variable->initial, 0);
    }
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (has_value(event) && ser_op_writes((ser_op)event->op))
            add_write(make, event->object, event->value, i);
    }
}

static bool is_unseen(const maker *make, uint32_t variable)
{
    return variable < make->variables.count && make->variables.items[variable].unseen;
}

static void accept_equal_values(maker *make)
{
    for (uint32_t i = 1; i <= make->run->count; i++) {
        const ser_event *event = &make->run->events[i];
        if (!has_value(event) || !only_reads(event) || is_unseen(make, event->object))
            continue;
        value_class *class = class_of(make, event->object, event->value);
        if (class->writes.count && !class->set)
            class->set = ser_reads_add_set(make->reads, class->writes.items, class->writes.count);
        make->reads->rules.items[i].accepts = class->set;
    }
}

static void make_data(ser_reads *reads, const ser_run *run)
{
    maker make = {.run = run, .reads = reads};
    find_unseen(&make);
    list_writes(&make);
    accept_equal_values(&make);
    for (size_t i = 0; i < make.classes.count; i++)
        ser_vector_free(&make.classes.items[i].writes);
    ser_vector_free(&make.classes);
    ser_vector_free(&make.variables);
    ser_pairmap_fini(&make.numbers);
}

static void let_all_change(ser_reads *reads, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        ser_op op = (ser_op)run->events[i].op;
        if (!ser_op_is_access(op) || !ser_op_reads(op))
            continue;
        reads->rules.items[i].limit = SER_LIMIT_NONE;
        reads->writes_anyway.items[i] = ser_op_writes(op);
    }
}

void ser_model_make(ser_reads *reads, const ser_run *run, ser_model model)
{
    ser_reads_init(reads, run->count);
    if (model == SER_MODEL_DATA)
        make_data(reads, run);
    else if (model == SER_MODEL_CANDIDATE)
        let_all_change(reads, run);
}
