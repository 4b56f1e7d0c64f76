/* SPDX-License-Identifier: MIT */
/*
 * Reads of one variable with the same guards are treated together (accept_in_group): its writes
 * fall into classes by the results of the guards, a class is a set of the rules, and a read accepts
 * the class of the value that it read.
 */
#include "predict/model/guard_accepts.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "symbolic/guards.h"

/* Reads of a variable that have the same guards stand together. */
typedef struct guarded_read {
    uint32_t variable, guards, event;
} guarded_read;

/* A write (0: the initial value), or a read, and what its guards say. */
typedef struct classified {
    uint32_t class, event;
} classified;

typedef struct accepting {
    ser_reads *reads;
    const ser_run *run;
    const ser_value_facts *facts;
    SER_VECTOR(guarded_read) guarded;
    size_t *first_write;            /* by variable: where its writes begin; one more at the end */
    uint32_t *writes;               /* of all variables with guarded reads */
    ser_names *classes;             /* of the group at hand: results of its guards, as bytes */
    SER_VECTOR(classified) members; /* the same: writes with their class */
} accepting;

static int compare_reads(const void *a, const void *b)
{
    const guarded_read *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    if (x->guards != y->guards)
        return x->guards < y->guards ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static void list_reads(accepting *all)
{
    for (uint32_t i = 1; i <= all->run->count; i++) {
        const ser_event *event = &all->run->events[i];
        if (ser_event_guards(event) && ser_has_value(event) && ser_only_reads(event) &&
            ser_may_accept(all->facts, event->object))
            ser_vector_push(&all->guarded,
                            ((guarded_read){event->object, ser_event_guards(event), i}));
    }
    if (all->guarded.count)
        qsort(all->guarded.items, all->guarded.count, sizeof *all->guarded.items, compare_reads);
}

static bool writes_value(const ser_event *event)
{
    return ser_has_value(event) && ser_op_writes((ser_op)event->op);
}

/* Counting sort by variable. */
static void list_writes(accepting *all)
{
    const ser_run *run = all->run;
    size_t variables = all->facts->variables.count, sum = 0;
    all->first_write = ser_alloc(variables + 2, sizeof *all->first_write);
    for (uint32_t i = 1; i <= run->count; i++)
        if (writes_value(&run->events[i]))
            all->first_write[run->events[i].object + 2]++;
    for (size_t i = 2; i < variables + 2; i++)
        all->first_write[i] = sum += all->first_write[i];
    all->writes = ser_alloc(sum + 1, sizeof *all->writes);
    for (uint32_t i = 1; i <= run->count; i++)
        if (writes_value(&run->events[i]))
            all->writes[all->first_write[run->events[i].object + 1]++] = i;
}

/* The class of a value; SER_NO_NAME if a guard has no result. */
static uint32_t class_of(accepting *all, const ser_guards *guards, uint64_t value)
{
    uint64_t results[SER_MOST_GUARDS];
    if (!ser_guards_evaluate(guards, value, results))
        return SER_NO_NAME;
    return ser_names_add(all->classes, (const char *)results, guards->count * sizeof *results);
}

static void add_member(accepting *all, const ser_guards *guards, uint64_t value, uint32_t write)
{
    uint32_t class = class_of(all, guards, value);
    if (class != SER_NO_NAME)
        ser_vector_push(&all->members, ((classified){class, write}));
}

static void classify_writes(accepting *all, const ser_guards *guards, uint32_t variable)
{
    const ser_variable_facts *facts = &all->facts->variables.items[variable];
    all->members.count = 0;
    if (facts->knows_initial)
        add_member(all, guards, facts->initial, 0);
    for (size_t i = all->first_write[variable]; i < all->first_write[variable + 1]; i++) {
        uint32_t write = all->writes[i];
        add_member(all, guards, all->run->events[write].value, write);
    }
}

static int compare_members(const void *a, const void *b)
{
    const classified *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

/* One set of the rules for each class; the first is returned, the others follow. */
static uint32_t add_sets(accepting *all)
{
    uint32_t first = (uint32_t)all->reads->sets.count;
    uint32_t classes = ser_names_count(all->classes);
    size_t next = 0;
    if (all->members.count)
        qsort(all->members.items, all->members.count, sizeof *all->members.items, compare_members);
    for (uint32_t class = 0; class < classes; class ++) {
        ser_accept_set set = {.first = all->reads->accepted.count};
        for (; next < all->members.count && all->members.items[next].class == class; next++)
            ser_vector_push(&all->reads->accepted, all->members.items[next].event);
        set.count = all->reads->accepted.count - set.first;
        ser_vector_push(&all->reads->sets, set);
    }
    return first;
}

/* Reads [first, end) have the same variable and guards. */
static void accept_in_group(accepting *all, size_t first, size_t end)
{
    const guarded_read *group = &all->guarded.items[first];
    const ser_symbols *symbols = all->run->symbols;
    ser_guards guards;
    unsigned ignored;
    const char *text = ser_guards_skip_delay(ser_symbols_guards(symbols, group->guards), &ignored);
    if (!ser_guards_parse(&guards, text, strlen(text)))
        return;
    all->classes = ser_names_create();
    classify_writes(all, &guards, group->variable);
    uint32_t known = ser_names_count(all->classes), sets = add_sets(all);
    for (size_t i = first; i < end; i++) {
        uint32_t read = all->guarded.items[i].event;
        uint32_t class = class_of(all, &guards, all->run->events[read].value);
        if (class < known)
            all->reads->rules.items[read].accepts = sets + class;
    }
    ser_names_destroy(all->classes);
    ser_guards_fini(&guards);
}

void ser_guard_accepts_set(ser_reads *reads, const ser_run *run, const ser_value_facts *facts)
{
    accepting all = {.reads = reads, .run = run, .facts = facts};
    list_reads(&all);
    if (all.guarded.count)
        list_writes(&all);
    for (size_t first = 0, end; first < all.guarded.count; first = end) {
        const guarded_read *group = &all.guarded.items[first];
        for (end = first + 1; end < all.guarded.count &&
                              all.guarded.items[end].variable == group->variable &&
                              all.guarded.items[end].guards == group->guards;)
            end++;
        accept_in_group(&all, first, end);
    }
    ser_vector_free(&all.guarded);
    ser_vector_free(&all.members);
    free(all.first_write);
    free(all.writes);
}
