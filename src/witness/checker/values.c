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

/* Something that is stored, and may be an address. */
typedef struct stored {
    uint32_t variable, event;
    uint64_t value;
} stored;

static int compare_stored(const void *a, const void *b)
{
    const stored *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

/* The lowest address at which Linux lets programs have memory. */
static bool may_be_address(uint64_t value)
{
    return value >= 65536;
}

/* By event, and 0: the last one until then before or at which memory may have been freed. */
static uint32_t *list_frees(const ser_observed *observed)
{
    uint32_t *freed = ser_alloc((size_t)observed->count + 1, sizeof *freed);
    for (uint32_t number = 1; number <= observed->count; number++) {
        const ser_event *event = &observed->events[number];
        bool frees = event->op == SER_OP_FREE || (event->op == SER_OP_SKIP && event->flow) ||
                     ser_event_elided(event) > 0;
        freed[number] = frees ? number : freed[number - 1];
    }
    return freed;
}

/* The same address twice: is it that of one object? */
static void tear_where_recycled(ser_checker_values *values)
{
    const ser_observed *observed = values->observed;
    SER_VECTOR(stored) all = {0};
    for (uint32_t i = 0; i < observed->variables; i++)
        if (values->is_known[i] && may_be_address(values->initial[i]))
            ser_vector_push(&all, ((stored){i, 0, values->initial[i]}));
    for (uint32_t i = 1; i <= observed->count; i++) {
        const ser_event *event = &observed->events[i];
        bool writes = event->op == SER_OP_WRITE || event->op == SER_OP_RMW;
        if (writes && has_value(event) && may_be_address(event->value))
            ser_vector_push(&all, ((stored){event->object, i, event->value}));
    }
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_stored);
    uint32_t *freed = all.count ? list_frees(observed) : NULL;
    for (size_t i = 1; i < all.count; i++) {
        const stored *before = &all.items[i - 1], *now = &all.items[i];
        if (before->variable == now->variable && before->value == now->value &&
            freed[now->event] > before->event)
            values->is_torn[now->variable] = true;
    }
    free(freed);
    ser_vector_free(&all);
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
    tear_where_recycled(values);
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
