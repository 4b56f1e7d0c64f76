/* SPDX-License-Identifier: MIT */
/*
 * judged.h - small traces, and what the checker says of an order of their events.
 */
#ifndef UNIT_WITNESS_JUDGED_H
#define UNIT_WITNESS_JUDGED_H

#include <stdio.h>

#include "unit/marked_trace.h"
#include "witness/checker.h"

/* A trace with its checker; events[1 .. count]. */
typedef struct subject {
    small_trace trace;
    ser_event events[sizeof((small_trace *)0)->events / sizeof(ser_event) + 1];
    ser_checker *checker;
} subject;

static inline void open_subject(subject *s, const char *text)
{
    s->trace = marked_trace_of(text);
    memcpy(s->events + 1, s->trace.events, s->trace.count * sizeof *s->events);
    s->checker = ser_checker_create(s->events, (uint32_t)s->trace.count, NULL);
}

static inline void close_subject(subject *s)
{
    ser_checker_destroy(s->checker);
    small_trace_free(&s->trace);
}

static inline size_t parse_numbers(const char *text, uint32_t *numbers)
{
    size_t count = 0;
    for (char *end; *text; text = end + strspn(end, " "))
        numbers[count++] = (uint32_t)strtoul(text, &end, 10);
    return count;
}

static inline void append_numbers(char *text, size_t size, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, " %u", numbers[i]);
    }
}

/* What the checker says: "path ..., broken ..., N switches", or why it refuses. */
static inline const char *judge(subject *s, uint32_t block, bool serializability, const char *order)
{
    static char text[1024];
    uint32_t numbers[256];
    size_t count = parse_numbers(order, numbers);
    ser_witness_facts facts;
    ser_error error;
    if (ser_checker_check(s->checker, block, serializability, numbers, count, &facts, &error)) {
        assert_int_equal(error.status, SER_INTERNAL);
        assert_int_equal(facts.path.count + facts.broken.count, 0);
        snprintf(text, sizeof text, "%s", error.text);
    } else {
        snprintf(text, sizeof text, "path");
        append_numbers(text, sizeof text, facts.path.items, facts.path.count);
        snprintf(text + strlen(text), sizeof text - strlen(text), ", broken");
        append_numbers(text, sizeof text, facts.broken.items, facts.broken.count);
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %u switches", facts.switches);
    }
    ser_witness_facts_fini(&facts);
    return text;
}

/* A second time, too: nothing may be left of the first. */
static inline void assert_judged(const char *trace, uint32_t block, bool serializability,
                                 const char *order, const char *expected)
{
    subject s;
    open_subject(&s, trace);
    assert_string_equal(judge(&s, block, serializability, order), expected);
    assert_string_equal(judge(&s, block, serializability, order), expected);
    close_subject(&s);
}

static inline void assert_path(const char *trace, uint32_t block, const char *order,
                               const char *expected)
{
    assert_judged(trace, block, false, order, expected);
}

#define NO_PATH "no path leaves the block of event 1 and comes back to it"

/* Events are numbered from 3: before them stands a block that nothing can violate. */
static inline void assert_refused(const char *events, const char *order, const char *expected)
{
    char trace[1024];
    snprintf(trace, sizeof trace, "T0|begin T0|end %s", events);
    assert_path(trace, 1, order, expected);
}

static inline void assert_allowed(const char *events, const char *order)
{
    assert_refused(events, order, NO_PATH);
}

#endif
