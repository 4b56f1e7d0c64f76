/* SPDX-License-Identifier: MIT */
#include "predict/model/guard_bounds.h"

#include <string.h>

#include "base/names.h"
#include "order/index.h"
#include "symbolic/guards.h"

/* Steps for all sets together; some tenths of a second. */
enum { MOST_EFFORT = 1 << 27, MOST_ACCEPTED = 1 << 23 };

typedef struct bounding {
    ser_reads *reads;
    const ser_run *run;
    const ser_value_facts *facts;
    ser_index *index;
    ser_names *known;          /* variable, text and value of reads that were treated */
    SER_VECTOR(uint32_t) sets; /* of each */
    ser_event_list accepted;   /* of the read at hand */
    uint64_t effort;
    SER_VECTOR(uint32_t) all_writes; /* by variable: 1 + the set of all its writes; 0: not made */
} bounding;

/* A read, and what is known of its guards. */
typedef struct bounded_read {
    const ser_event *event;
    uint64_t value;    /* what it has read */
    ser_guards guards; /* those over itself alone */
    bool has_guards;
    bool takes_all; /* it has others */
} bounded_read;

static const char *text_of(const ser_run *run, const ser_event *event)
{
    uint32_t number = ser_event_guards(event);
    return number ? ser_guards_skip_preface(ser_symbols_guards(run->symbols, number)) : "";
}

static bool is_computed(const ser_run *run, const ser_event *write)
{
    return (ser_op_writes((ser_op)write->op) && !ser_op_frees((ser_op)write->op)) &&
           *text_of(run, write);
}

bool ser_guard_bounds_are_needed(const ser_run *run)
{
    uint32_t count = run->symbols ? ser_symbols_guards_count(run->symbols) : 0;
    for (uint32_t number = 1; number <= count; number++)
        if (strpbrk(ser_symbols_guards(run->symbols, number), "@=$"))
            return true;
    return false;
}

static const char *skip_part(const char *text)
{
    text += strcspn(text, ";");
    return text + (*text == ';');
}

/* "@17;v,0,sgt32": the key is no guard, nor is what an update writes. */
static void parse_read(bounded_read *read, const ser_run *run, const ser_event *event)
{
    const char *text = text_of(run, event);
    *read = (bounded_read){.event = event, .value = event->value};
    bool has_key = *text == '@' && text[1 + strspn(text + 1, "0123456789")] != ',';
    if (has_key)
        text = skip_part(text);
    bool updates = *text == '=';
    if (updates)
        text = skip_part(text);
    read->takes_all = strpbrk(text, "@$") != NULL;
    read->has_guards = !read->takes_all && ser_guards_parse(&read->guards, text, strlen(text));
    read->takes_all |= (has_key || updates) && !*text;
}

static bool accepts_value(const bounded_read *read, uint64_t value)
{
    uint64_t had[SER_MOST_GUARDS] = {0}, would[SER_MOST_GUARDS] = {0};
    if (read->takes_all || value == read->value)
        return true;
    return read->has_guards && ser_guards_evaluate(&read->guards, read->value, had) &&
           ser_guards_evaluate(&read->guards, value, would) &&
           memcmp(had, would, read->guards.count * sizeof *had) == 0;
}

/* A set for each of many reads with many writes would take their square: after a bound, reads of
 * one variable share one that accepts all its writes. */
static bool is_exhausted(const bounding *all)
{
    return all->effort > MOST_EFFORT || all->reads->accepted.count > MOST_ACCEPTED;
}

static uint32_t make_set(bounding *all, const bounded_read *read)
{
    uint32_t variable = read->event->object;
    const ser_variable_facts *facts = &all->facts->variables.items[variable];
    ser_event_span accesses = ser_index_events(&all->index->accesses, variable);
    all->accepted.count = 0;
    all->effort += accesses.count * (1 + (uint64_t)read->guards.count);
    if (facts->knows_initial && accepts_value(read, facts->initial))
        ser_vector_push(&all->accepted, 0);
    for (size_t i = 0; i < accesses.count; i++) {
        const ser_event *write = &all->run->events[accesses.items[i]];
        if (ser_op_writes((ser_op)write->op) && ser_has_value(write) &&
            (is_computed(all->run, write) || accepts_value(read, write->value)))
            ser_vector_push(&all->accepted, accesses.items[i]);
    }
    return ser_reads_add_set(all->reads, all->accepted.items, all->accepted.count);
}

static uint32_t set_of(bounding *all, const bounded_read *read)
{
    if (!is_exhausted(all))
        return make_set(all, read);
    const bounded_read any = {.event = read->event, .takes_all = true};
    uint32_t *set = ser_vector_slot(&all->all_writes, read->event->object);
    if (!*set)
        *set = 1 + make_set(all, &any);
    return *set - 1;
}

/* Equal reads have one set. */
static void bound(bounding *all, uint32_t number, uint64_t value)
{
    const ser_event *event = &all->run->events[number];
    const struct {
        uint64_t value;
        uint32_t variable, text;
    } key = {value, event->object, ser_event_guards(event)};
    uint32_t fresh = ser_names_count(all->known);
    uint32_t known = ser_names_add(all->known, (const char *)&key, sizeof key);
    if (known == fresh) {
        bounded_read read;
        parse_read(&read, all->run, event);
        read.value = value;
        ser_vector_push(&all->sets, set_of(all, &read));
        ser_guards_fini(&read.guards);
    }
    all->reads->rules.items[number].accepts = all->sets.items[known];
}

void ser_guard_bounds_set(ser_reads *reads, const ser_run *run, const ser_value_facts *facts)
{
    bounding all = {.reads = reads,
                    .run = run,
                    .facts = facts,
                    .index = ser_index_create(run),
                    .known = ser_names_create()};
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        uint64_t value = event->value;
        if (ser_has_value(event) && ser_may_accept(facts, event->object) &&
            (ser_only_reads(event) || ser_find_old_value(facts, run, i, &value)))
            bound(&all, i, value);
        reads->writes_known.items[i] = reads->writes_anyway.items[i] && is_computed(run, event);
    }
    ser_index_destroy(all.index);
    ser_names_destroy(all.known);
    ser_vector_free(&all.sets);
    ser_vector_free(&all.all_writes);
    ser_vector_free(&all.accepted);
}
