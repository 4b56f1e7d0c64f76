/* SPDX-License-Identifier: MIT */
#include "explore/coverage.h"

#include <stdio.h>

#include "base/names.h"
#include "base/pairmap.h"
#include "explore/reversal.h"

/* How finely orders are distinguished: by their places, or by their variables, too. Functions that
 * get and set many variables at one line each have many orders. */
enum { BY_PLACE, BY_VARIABLE, FINENESSES };

typedef struct conflict {
    uint32_t first, second;        /* events */
    uint32_t opposite[FINENESSES]; /* the names of the other order */
} conflict;

/* Accesses of a variable in the last run; 0: none. */
typedef struct accesses {
    uint32_t first_write, other_write; /* the first one, and the first of another thread */
    uint32_t last_write;
    uint32_t last_read; /* since the last write */
} accesses;

struct ser_coverage {
    ser_names *orders;              /* "here>there" */
    SER_VECTOR(bool) seen;          /* by order: seen or tried */
    SER_VECTOR(conflict) conflicts; /* of the last run */
    const ser_run *run;             /* the last one; only while conflicts are chosen of it */
    SER_VECTOR(accesses) variables; /* of the last run */
    SER_VECTOR(uint32_t) joins;     /* by thread: where it is joined, so far; 0: nowhere */
    size_t count;                   /* of orders by place */
    /* Of the last run: the orders of two sites; of two sites and a variable. */
    ser_pairmap known[FINENESSES];
};

ser_coverage *ser_coverage_create(void)
{
    ser_coverage *coverage = ser_alloc(1, sizeof *coverage);
    coverage->orders = ser_names_create();
    return coverage;
}

static void forget_known(ser_coverage *coverage)
{
    for (int i = 0; i < FINENESSES; i++) {
        ser_pairmap_fini(&coverage->known[i]);
        coverage->known[i] = (ser_pairmap){0};
    }
}

void ser_coverage_destroy(ser_coverage *coverage)
{
    if (!coverage)
        return;
    ser_names_destroy(coverage->orders);
    ser_vector_free(&coverage->seen);
    ser_vector_free(&coverage->conflicts);
    ser_vector_free(&coverage->variables);
    ser_vector_free(&coverage->joins);
    forget_known(coverage);
    free(coverage);
}

static uint32_t site_of(const ser_run *run, uint32_t event)
{
    return event ? run->events[event].site : SER_NO_SITE;
}

static const char *place_of(const ser_run *run, uint32_t event)
{
    return event ? ser_symbols_location(run->symbols, run->events[event].site) : "";
}

static uint32_t name_order(ser_coverage *coverage, uint32_t first, uint32_t second, int fineness)
{
    char text[1024];
    const ser_run *run = coverage->run;
    const ser_event *named = &run->events[second];
    const char *variable =
        ser_symbols_name(run->symbols, ser_op_space((ser_op)named->op), named->object);
    int length =
        snprintf(text, sizeof text, "%s>%s%s%s", place_of(run, first), place_of(run, second),
                 fineness == BY_VARIABLE ? " of " : "", fineness == BY_VARIABLE ? variable : "");
    size_t size = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    return ser_names_add(coverage->orders, text, size);
}

/* Two accesses of one variable; the first may be 0, which stands for the time before all writes of
 * other threads. Loops have the same orders again and again: they are named once. */
static uint32_t order_of(ser_coverage *coverage, uint32_t first, uint32_t second, int fineness)
{
    const ser_run *run = coverage->run;
    uint64_t one = site_of(run, first), other = site_of(run, second);
    if (fineness == BY_VARIABLE) {
        one = one << 32 | other;
        other = (uint64_t)ser_op_space((ser_op)run->events[second].op) << 32 |
                run->events[second].object;
    }
    uint32_t order = ser_pairmap_get(&coverage->known[fineness], one, other, UINT32_MAX);
    if (order == UINT32_MAX) {
        order = name_order(coverage, first, second, fineness);
        *ser_pairmap_add(&coverage->known[fineness], one, other, order) = order;
    }
    return order;
}

/* True if the order is new. */
static bool mark(ser_coverage *coverage, uint32_t order)
{
    bool *seen = ser_vector_slot(&coverage->seen, order);
    bool is_new = !*seen;
    *seen = true;
    return is_new;
}

/* How many finenesses it is new for. */
static size_t mark_order(ser_coverage *coverage, uint32_t first, uint32_t second)
{
    bool by_place = mark(coverage, order_of(coverage, first, second, BY_PLACE));
    coverage->count += by_place;
    return by_place + (size_t)mark(coverage, order_of(coverage, first, second, BY_VARIABLE));
}

/* Must the first come before the second in every run, since its thread creates or is awaited by
 * the other's? */
static bool is_forced(const ser_coverage *coverage, uint32_t first, uint32_t second)
{
    const ser_run *run = coverage->run;
    uint32_t from = run->events[first].thread, to = run->events[second].thread;
    uint32_t join = from < coverage->joins.count ? coverage->joins.items[from] : 0;
    if (join && run->events[join].thread == to)
        return true;
    uint32_t fork = run->threads.items[to].fork;
    while (fork && run->events[fork].thread != from)
        fork = run->threads.items[run->events[fork].thread].fork;
    return fork > first;
}

/* To try for the second before the first, where that was not seen. */
static void add_aim(ser_coverage *coverage, uint32_t first, uint32_t second, uint32_t instead)
{
    if (is_forced(coverage, first, second))
        return;
    conflict added = {first, second, {0}};
    for (int i = 0; i < FINENESSES; i++)
        added.opposite[i] = instead == second ? order_of(coverage, second, first, i)
                                              : order_of(coverage, instead, second, i);
    ser_vector_push(&coverage->conflicts, added);
}

static bool are_of_two(const ser_coverage *coverage, uint32_t first, uint32_t second)
{
    const ser_event *events = coverage->run->events;
    return first && events[first].thread != events[second].thread &&
           events[first].site != SER_NO_SITE && events[second].site != SER_NO_SITE;
}

static size_t add_conflict(ser_coverage *coverage, uint32_t first, uint32_t second)
{
    if (!are_of_two(coverage, first, second))
        return 0;
    add_aim(coverage, first, second, second);
    return mark_order(coverage, first, second);
}

/* Could another order let the read come before the write? */
static bool can_be_later(const ser_coverage *coverage, uint32_t write, uint32_t read)
{
    return are_of_two(coverage, write, read) && !is_forced(coverage, write, read);
}

/* Has the read come before all writes of others, or could it? Among many threads of the same code
 * one that reads while the others wait at their writes is another matter than one that reads
 * between two of them. */
static size_t add_early_read(ser_coverage *coverage, const accesses *of, uint32_t read)
{
    if (coverage->run->events[read].site == SER_NO_SITE)
        return 0;
    uint32_t write =
        can_be_later(coverage, of->first_write, read) ? of->first_write : of->other_write;
    if (!can_be_later(coverage, write, read))
        return mark_order(coverage, 0, read);
    add_aim(coverage, write, read, 0);
    return 0;
}

static void note_write(const ser_run *run, accesses *of, uint32_t write)
{
    if (!of->first_write)
        of->first_write = write;
    else if (!of->other_write && run->events[of->first_write].thread != run->events[write].thread)
        of->other_write = write;
    of->last_write = write;
    of->last_read = 0;
}

static size_t add_access(ser_coverage *coverage, uint32_t event)
{
    const ser_event *access = &coverage->run->events[event];
    accesses *of = ser_vector_slot(&coverage->variables, access->object);
    size_t found = add_conflict(coverage, of->last_write, event);
    if (!ser_op_writes((ser_op)access->op)) {
        found += add_early_read(coverage, of, event);
        of->last_read = event;
        return found;
    }
    found += add_conflict(coverage, of->last_read, event);
    note_write(coverage->run, of, event);
    return found;
}

/* A notification that comes before the critical section in which its waiter began to wait is lost,
 * if what the waiter has asked for was asked too early. */
static void add_notify(ser_coverage *coverage, uint32_t notify)
{
    const ser_run *run = coverage->run;
    uint32_t wait = run->match[notify], release = wait ? ser_run_previous(run, wait) : 0;
    if (release && ser_op_releases((ser_op)run->events[release].op) && run->match[release] &&
        are_of_two(coverage, run->match[release], notify))
        add_aim(coverage, run->match[release], notify, notify);
}

size_t ser_coverage_add(ser_coverage *coverage, const ser_run *run)
{
    size_t found = 0;
    coverage->run = run;
    forget_known(coverage);
    coverage->conflicts.count = coverage->variables.count = coverage->joins.count = 0;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_is_access((ser_op)event->op))
            found += add_access(coverage, i);
        else if (ser_op_notifies((ser_op)event->op))
            add_notify(coverage, i);
        else if (ser_op_joins((ser_op)event->op))
            *ser_vector_slot(&coverage->joins, event->object) = i;
    }
    return found;
}

size_t ser_coverage_count(const ser_coverage *coverage)
{
    return coverage->count;
}

/* One whose opposite was neither seen nor tried; NULL: there is none. */
static const conflict *choose(ser_coverage *coverage, uint64_t random)
{
    size_t count = coverage->conflicts.count;
    for (int fineness = 0; fineness < FINENESSES; fineness++)
        for (size_t i = 0; i < count; i++) {
            const conflict *wanted = &coverage->conflicts.items[(random + i) % count];
            if (mark(coverage, wanted->opposite[fineness])) {
                mark(coverage, wanted->opposite[BY_VARIABLE]);
                return wanted;
            }
        }
    return NULL;
}

bool ser_coverage_choose(ser_coverage *coverage, uint64_t random, ser_event_list *order, char *aim,
                         size_t size)
{
    const ser_run *run = coverage->run;
    const conflict *wanted = choose(coverage, random);
    if (!wanted)
        return false;
    ser_reversal_make(run, wanted->first, wanted->second, order);
    snprintf(aim, size, "for %s before %s",
             ser_symbols_shown_location(run->symbols, run->events[wanted->second].site),
             ser_symbols_shown_location(run->symbols, run->events[wanted->first].site));
    return true;
}
