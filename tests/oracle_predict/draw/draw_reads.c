/* SPDX-License-Identifier: MIT */
/*
 * Bits of `flow`: DRAWN; the kind of limit, and for a limit a few events later how many;
 * the value that a write has, of four, and the set of values that a read accepts.
 */
#include "draw_reads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "operations.h"
#include "random.h"

enum { DRAWN = 1 << 15, INITIAL_VALUE = 0, MOST_WRITES = 64 };

typedef enum limit_kind { LIMIT_NEXT, LIMIT_LATER, LIMIT_END, LIMIT_NONE } limit_kind;

static limit_kind limit_kind_of(const ser_event *event)
{
    return (limit_kind)(event->flow & 3);
}

static uint32_t distance_of(const ser_event *event)
{
    return 2 + (event->flow >> 2 & 3);
}

static uint32_t value_of(const ser_event *write)
{
    return write->flow >> 4 & 3;
}

static bool accepts_value(const ser_event *read, uint32_t value)
{
    return read->flow >> (6 + value) & 1;
}

static bool writes_anyway(const ser_event *rmw)
{
    return rmw->flow >> 10 & 1;
}

static bool writes_known(const ser_event *rmw)
{
    return rmw->flow >> 11 & 1;
}

/* In some traces all reads are alike: as candidates are, or as where all values are equal. */
void draw_reads(event_list *raw, uint64_t seed)
{
    random_source random = {seed ^ UINT64_C(0x7265616473)};
    static const struct {
        uint32_t with, mask;
    } shapes[] = {
        {0, 0xfff}, {0, 0xfff}, {LIMIT_NONE | 1 << 10, 0}, {0, 0xc3f}, {LIMIT_NONE, 0xffc}};
    size_t shape = random_below(&random, sizeof shapes / sizeof *shapes);
    for (size_t i = 0; i < raw->count; i++)
        raw->items[i].flow = (uint16_t)(DRAWN | shapes[shape].with |
                                        (random_next(&random) >> 40 & shapes[shape].mask));
}

static uint32_t rule_bits(const char *rule)
{
    uint32_t bits = 0;
    for (; *rule && *rule != ' '; rule++) {
        if (*rule == 'n')
            bits |= LIMIT_NONE;
        else if (*rule == 'e')
            bits |= LIMIT_END;
        else if (*rule == '=')
            bits |= (uint32_t)(*++rule - '0') << 4;
        else if (*rule == '~')
            bits |= UINT32_C(1) << (6 + *++rule - '0');
        else if (*rule == '!')
            bits |= 1 << 10;
        else
            bits |= LIMIT_LATER | (uint32_t)(*rule - '2') << 2;
    }
    return bits;
}

void set_reads(event_list *raw, const char *rules)
{
    for (size_t i = 0; i < raw->count; i++)
        raw->items[i].flow = DRAWN;
    while (*rules) {
        char *rule;
        unsigned long event = strtoul(rules, &rule, 10);
        ser_check(event > 0 && event <= raw->count && *rule == ':');
        raw->items[event - 1].flow |= (uint16_t)rule_bits(rule + 1);
        rules = rule + strcspn(rule, " ");
        rules += strspn(rules, " ");
    }
}

bool has_drawn_reads(const event_list *events)
{
    return events->count && events->items[0].flow & DRAWN;
}

/* The first event of a step decides for all its read-modify-writes, and is a limit for all. */
static size_t step_of(const event_list *events, size_t at)
{
    while (at > 0 && events->items[at - 1].flags & SER_EVENT_JOINED)
        at--;
    return at;
}

/* The event `distance` events later in the thread; its end if there are not so many. */
static uint32_t find_later(const event_list *events, size_t at, uint32_t distance)
{
    for (size_t i = at + 1; i < events->count; i++)
        if (events->items[i].thread == events->items[at].thread &&
            events->items[i].op != SER_OP_SKIP && --distance == 0)
            return (uint32_t)step_of(events, i) + 1;
    return SER_LIMIT_END;
}

static uint32_t find_limit(const event_list *events, size_t at)
{
    switch (limit_kind_of(&events->items[at])) {
    case LIMIT_NEXT:
        return SER_LIMIT_NEXT;
    case LIMIT_LATER:
        return find_later(events, at, distance_of(&events->items[at]));
    case LIMIT_END:
        return SER_LIMIT_END;
    default:
        return SER_LIMIT_NONE;
    }
}

static uint32_t make_set(ser_reads *reads, const event_list *events, size_t at)
{
    const ser_event *read = &events->items[at];
    uint32_t writes[MOST_WRITES];
    size_t count = 0;
    if (accepts_value(read, INITIAL_VALUE))
        writes[count++] = 0;
    for (size_t i = 0; i < events->count && count < MOST_WRITES; i++)
        if ((only_writes(&events->items[i]) || reads_and_writes(&events->items[i])) &&
            events->items[i].object == read->object &&
            accepts_value(read, value_of(&events->items[i])))
            writes[count++] = (uint32_t)i + 1;
    return ser_reads_add_set(reads, writes, count);
}

void make_reads(ser_reads *reads, const event_list *events)
{
    ser_reads_init(reads, (uint32_t)events->count);
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &events->items[i];
        bool anyway = reads_and_writes(event) && writes_anyway(&events->items[step_of(events, i)]);
        if (!only_reads(event) && !reads_and_writes(event))
            continue;
        reads->writes_anyway.items[i + 1] = anyway;
        reads->writes_known.items[i + 1] =
            anyway && writes_known(&events->items[step_of(events, i)]);
        if (only_reads(event) || anyway)
            reads->rules.items[i + 1].limit = find_limit(events, i);
        reads->rules.items[i + 1].accepts = make_set(reads, events, i);
    }
}

static void print_limit(FILE *file, uint32_t limit)
{
    if (limit == SER_LIMIT_NEXT || limit == SER_LIMIT_END || limit == SER_LIMIT_NONE)
        fputs(limit == SER_LIMIT_NEXT  ? "the next step"
              : limit == SER_LIMIT_END ? "the end"
                                       : "none",
              file);
    else
        fprintf(file, "event %" PRIu32, limit);
}

void print_reads(FILE *file, const ser_reads *reads)
{
    for (size_t i = 1; i < reads->rules.count; i++) {
        const ser_read_rule *rule = &reads->rules.items[i];
        if (!rule->limit && !rule->accepts && !reads->writes_anyway.items[i])
            continue;
        fprintf(file, "# read %zu: limit ", i);
        print_limit(file, rule->limit);
        fputs(", accepts", file);
        const ser_accept_set *set = &reads->sets.items[rule->accepts];
        for (size_t k = set->first; k < set->first + set->count; k++)
            fprintf(file, " %" PRIu32, reads->accepted.items[k]);
        fprintf(file, "%s%s\n", reads->writes_anyway.items[i] ? ", writes anyway" : "",
                reads->writes_known.items[i] ? ", what is known" : "");
    }
}
