/* SPDX-License-Identifier: MIT */
/*
 * The scan goes once through the events between the first and the last of a block, and marks what
 * the block reaches: threads from their first reached access on, and for each variable whether an
 * access of the block, or one outside that is reached, is a write. The block is violated if it
 * later accesses a variable that has a conflicting access outside which it reaches. The main
 * function is ser_find_violated.
 */
#include "replay/violated.h"

/* --- the scan -------------------------------------------------------------- */

/* When something of a variable was marked last: by which scan, from 1. */
typedef struct variable_marks {
    uint32_t home, home_write;       /* accessed, written by the block */
    uint32_t reached, reached_write; /* outside, by accesses that the block reaches */
} variable_marks;

typedef struct block_scan {
    const ser_run *run;
    uint32_t number; /* of the scan */
    SER_VECTOR(variable_marks) variables;
    SER_VECTOR(uint32_t) threads; /* that are reached: by which scan */
} block_scan;

static bool writes(const ser_event *event)
{
    return ser_op_writes((ser_op)event->op);
}

static void reach(block_scan *scan, uint32_t event)
{
    const ser_event *at = &scan->run->events[event];
    variable_marks *marks = ser_vector_slot(&scan->variables, at->object);
    marks->reached = scan->number;
    if (writes(at))
        marks->reached_write = scan->number;
}

/* The other events of a multi-variable access happen at the same moment. */
static void reach_step(block_scan *scan, uint32_t event)
{
    uint32_t first = scan->run->joined ? ser_run_step_first(scan->run, event) : event;
    *ser_vector_slot(&scan->threads, scan->run->events[event].thread) = scan->number;
    for (; first && first < event; first = ser_run_next(scan->run, first))
        reach(scan, first);
    reach(scan, event);
}

static void look_outside(block_scan *scan, uint32_t event)
{
    const ser_event *at = &scan->run->events[event];
    const variable_marks *marks = ser_vector_slot(&scan->variables, at->object);
    uint32_t now = scan->number;
    bool is_reached = *ser_vector_slot(&scan->threads, at->thread) == now ||
                      marks->home_write == now || marks->reached_write == now ||
                      (writes(at) && (marks->home == now || marks->reached == now));
    if (is_reached)
        reach_step(scan, event);
}

/* Does the path lead back into the block? */
static bool look_at_home(block_scan *scan, uint32_t event)
{
    const ser_event *at = &scan->run->events[event];
    variable_marks *marks = ser_vector_slot(&scan->variables, at->object);
    if (marks->reached_write == scan->number || (writes(at) && marks->reached == scan->number))
        return true;
    marks->home = scan->number;
    if (writes(at))
        marks->home_write = scan->number;
    return false;
}

static bool seems_violated(block_scan *scan, const ser_run_block *block)
{
    uint32_t end = block->end ? block->end : scan->run->count;
    scan->number++;
    for (uint32_t i = block->begin; i <= end; i++) {
        const ser_event *event = &scan->run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        if (event->thread != block->thread)
            look_outside(scan, i);
        else if (look_at_home(scan, i))
            return true;
    }
    return false;
}

/* --- the verdict ----------------------------------------------------------- */

typedef struct recorded_order {
    ser_checker *checker; /* NULL until one is needed */
    ser_event_list events;
} recorded_order;

static bool is_violated(recorded_order *recorded, const ser_run *run, uint32_t begin,
                        ser_witness_facts *facts)
{
    ser_error ignored;
    if (!recorded->checker) {
        const ser_checker_model model = {.happened = true};
        recorded->checker = ser_checker_create(run->events, run->count, &model);
        for (uint32_t i = 1; i <= run->count; i++)
            if (ser_op_takes_part((ser_op)run->events[i].op))
                ser_vector_push(&recorded->events, i);
    }
    return ser_checker_check(recorded->checker, begin, false, recorded->events.items,
                             recorded->events.count, facts, &ignored) == SER_OK;
}

bool ser_find_violated(const ser_run *run, const ser_block_list *blocks,
                       const ser_violation_filter *filter, uint32_t *begin,
                       ser_witness_facts *facts)
{
    block_scan scan = {.run = run};
    recorded_order recorded = {0};
    bool found = false;
    *facts = (ser_witness_facts){0};
    for (size_t i = 0; i < blocks->count && !found; i++) {
        const ser_run_block *block = &run->blocks.items[blocks->items[i]];
        *begin = block->begin;
        ser_witness_facts_fini(facts);
        found = seems_violated(&scan, block) && is_violated(&recorded, run, *begin, facts) &&
                (!filter->counts || filter->counts(filter->context, run, *begin, facts));
    }
    ser_checker_destroy(recorded.checker);
    ser_vector_free(&recorded.events);
    ser_vector_free(&scan.variables);
    ser_vector_free(&scan.threads);
    return found;
}
