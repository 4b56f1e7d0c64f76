/* SPDX-License-Identifier: MIT */
#include "explore/coverage.h"

#include <stdio.h>

#include "base/names.h"
#include "explore/reversal.h"

typedef struct conflict {
    uint32_t first, second; /* events */
    uint32_t opposite;      /* the name of the other order */
} conflict;

struct ser_coverage {
    ser_names *orders;               /* "here>there" */
    SER_VECTOR(bool) seen;           /* by order: seen or tried */
    SER_VECTOR(conflict) conflicts;  /* of the last run */
    const ser_run *run;              /* the last one; only while conflicts are chosen of it */
    SER_VECTOR(uint32_t) last_write; /* by variable; 0: none */
    SER_VECTOR(uint32_t) last_read;  /* by variable, since the last write: of another thread */
    size_t count;
};

ser_coverage *ser_coverage_create(void)
{
    ser_coverage *coverage = ser_alloc(1, sizeof *coverage);
    coverage->orders = ser_names_create();
    return coverage;
}

void ser_coverage_destroy(ser_coverage *coverage)
{
    if (!coverage)
        return;
    ser_names_destroy(coverage->orders);
    ser_vector_free(&coverage->seen);
    ser_vector_free(&coverage->conflicts);
    ser_vector_free(&coverage->last_write);
    ser_vector_free(&coverage->last_read);
    free(coverage);
}

static uint32_t order_of(ser_coverage *coverage, uint32_t first, uint32_t second)
{
    char text[1024];
    const ser_run *run = coverage->run;
    int length = snprintf(text, sizeof text, "%s>%s",
                          ser_symbols_location(run->symbols, run->events[first].site),
                          ser_symbols_location(run->symbols, run->events[second].site));
    size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    return ser_names_add(coverage->orders, text, size);
}

/* True if the order is new. */
static bool mark(ser_coverage *coverage, uint32_t order)
{
    bool *seen = ser_vector_slot(&coverage->seen, order);
    bool is_new = !*seen;
    *seen = true;
    return is_new;
}

static size_t add_conflict(ser_coverage *coverage, uint32_t first, uint32_t second)
{
    const ser_event *events = coverage->run->events;
    if (!first || events[first].thread == events[second].thread ||
        events[first].site == SER_NO_SITE || events[second].site == SER_NO_SITE)
        return 0;
    bool is_new = mark(coverage, order_of(coverage, first, second));
    conflict added = {first, second, order_of(coverage, second, first)};
    coverage->count += is_new;
    ser_vector_push(&coverage->conflicts, added);
    return is_new;
}

static size_t add_access(ser_coverage *coverage, uint32_t event)
{
    const ser_event *access = &coverage->run->events[event];
    uint32_t *write = ser_vector_slot(&coverage->last_write, access->object);
    uint32_t *read = ser_vector_slot(&coverage->last_read, access->object);
    size_t found = add_conflict(coverage, *write, event);
    if (!ser_op_writes((ser_op)access->op)) {
        *read = event;
        return found;
    }
    found += add_conflict(coverage, *read, event);
    *write = event;
    *read = 0;
    return found;
}

size_t ser_coverage_add(ser_coverage *coverage, const ser_run *run)
{
    size_t found = 0;
    coverage->run = run;
    coverage->conflicts.count = coverage->last_write.count = coverage->last_read.count = 0;
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_is_access((ser_op)run->events[i].op))
            found += add_access(coverage, i);
    return found;
}

size_t ser_coverage_count(const ser_coverage *coverage)
{
    return coverage->count;
}

bool ser_coverage_choose(ser_coverage *coverage, uint64_t random, ser_event_list *order, char *aim,
                         size_t size)
{
    size_t count = coverage->conflicts.count;
    for (size_t i = 0; i < count; i++) {
        const conflict *wanted = &coverage->conflicts.items[(random + i) % count];
        if (!mark(coverage, wanted->opposite))
            continue;
        const ser_run *run = coverage->run;
        ser_reversal_make(run, wanted->first, wanted->second, order);
        snprintf(aim, size, "for %s before %s",
                 ser_symbols_shown_location(run->symbols, run->events[wanted->second].site),
                 ser_symbols_shown_location(run->symbols, run->events[wanted->first].site));
        return true;
    }
    return false;
}
