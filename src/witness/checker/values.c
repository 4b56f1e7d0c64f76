/* SPDX-License-Identifier: MIT */
#include "witness/checker/values.h"

#include "witness/checker/guards.h"

/* What a free leaves behind is no value. */
static bool has_value(const ser_event *event)
{
    return event->op != SER_OP_FREE && event->flags & SER_EVENT_HAS_VALUE;
}

/* The trace says that this read got that value from the initial state. Did another one get
 * another? */
static bool contradicts_initial(ser_checker_values *values, const ser_event *read)
{
    uint32_t variable = read->object;
    bool contradicts = values->is_known[variable] && values->initial[variable] != read->value;
    values->is_known[variable] = true;
    values->initial[variable] = read->value;
    return contradicts;
}

/* The same of the first write of a variable, whose text says what that held before. */
static void examine_first_write(ser_checker_values *values, const ser_event *write)
{
    uint32_t variable = write->object, number = ser_event_guards(write);
    const char *text = number ? ser_symbols_guards(values->guards, number) : "";
    if (values->is_written[variable])
        return;
    values->is_written[variable] = true;
    if (*text != '<')
        return;
    uint64_t held = strtoull(text + 1, NULL, 10);
    values->is_torn[variable] |= values->is_known[variable] && values->initial[variable] != held;
    values->is_known[variable] = true;
    values->initial[variable] = held;
}

static bool writes(const ser_event *event)
{
    return event->op == SER_OP_WRITE || event->op == SER_OP_RMW || event->op == SER_OP_FREE;
}

static void compare_with_source(ser_checker_values *values, uint32_t number)
{
    const ser_event *read = &values->observed->events[number];
    uint32_t source = values->observed->source[number];
    const ser_event *write = &values->observed->events[source];
    if (source == 0)
        values->differs[number] = contradicts_initial(values, read);
    else
        values->differs[number] = has_value(write) && write->value != read->value;
    if (values->differs[number])
        values->is_torn[read->object] = true;
}

void ser_checker_values_init(ser_checker_values *values, const ser_observed *observed,
                             const ser_symbols *guards)
{
    size_t variables = (size_t)observed->variables + 1;
    *values = (ser_checker_values){.observed = observed, .guards = guards};
    values->initial = ser_alloc(variables, sizeof *values->initial);
    values->is_known = ser_alloc(variables, sizeof *values->is_known);
    values->is_torn = ser_alloc(variables, sizeof *values->is_torn);
    values->differs = ser_alloc((size_t)observed->count + 1, sizeof *values->differs);
    values->is_written = ser_alloc(variables, sizeof *values->is_written);
    for (uint32_t number = 1; number <= observed->count; number++) {
        const ser_event *event = &observed->events[number];
        if (guards && writes(event))
            examine_first_write(values, event);
        if (event->op == SER_OP_READ && has_value(event))
            compare_with_source(values, number);
    }
}

void ser_checker_values_fini(ser_checker_values *values)
{
    free(values->initial);
    free(values->is_known);
    free(values->is_torn);
    free(values->is_written);
    free(values->differs);
}

static bool is_as_good(const ser_checker_values *values, const ser_event *read, uint64_t value)
{
    return value == read->value ||
           (values->guards && ser_event_guards(read) &&
            ser_checker_guards_agree(ser_symbols_guards(values->guards, ser_event_guards(read)),
                                     read->value, value));
}

/* A read-modify-write has read what its source wrote. */
static bool has_read(const ser_checker_values *values, uint32_t update, uint64_t value)
{
    uint64_t old;
    const ser_event *event = &values->observed->events[update];
    return values->guards && event->op == SER_OP_RMW && has_value(event) &&
           ser_checker_values_find(values, event->object, values->observed->source[update], &old) &&
           old == value;
}

bool ser_checker_values_as_good(const ser_checker_values *values, uint32_t read, uint64_t value)
{
    const ser_event *event = &values->observed->events[read];
    if (has_read(values, read, value))
        return true;
    return event->op == SER_OP_READ && has_value(event) && !values->is_torn[event->object] &&
           is_as_good(values, event, value);
}

bool ser_checker_values_find(const ser_checker_values *values, uint32_t variable, uint32_t write,
                             uint64_t *value)
{
    const ser_event *source = &values->observed->events[write];
    if (values->is_torn[variable])
        return false;
    *value = write ? source->value : values->initial[variable];
    return write ? has_value(source) : values->is_known[variable];
}

bool ser_checker_values_accept(const ser_checker_values *values, uint32_t read, uint32_t write)
{
    uint64_t value;
    return ser_checker_values_find(values, values->observed->events[read].object, write, &value) &&
           ser_checker_values_as_good(values, read, value);
}
