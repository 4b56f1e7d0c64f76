/* SPDX-License-Identifier: MIT */
#include "session/run/evidence/sharpen.h"

/* The block's last access, with which a witness ends; 0: it ends with something else. */
static uint32_t last_access(const ser_run *run, const ser_block_result *result)
{
    const ser_event_list *order = &result->order;
    uint32_t last = order->count ? order->items[order->count - 1] : 0;
    return last && run->block_of[last] == result->block + 1 &&
                   ser_op_reads((ser_op)run->events[last].op)
               ? last
               : 0;
}

static bool writes_variable(const ser_run *run, uint32_t event, uint32_t of)
{
    const ser_event *write = &run->events[event];
    return ser_op_is_access((ser_op)write->op) && ser_op_writes((ser_op)write->op) &&
           write->object == run->events[of].object && write->thread != run->events[of].thread;
}

/* The first write of the variable by another thread, after the block has begun; 0: none. */
static uint32_t first_between(const ser_run *run, const ser_block_result *result, uint32_t last)
{
    bool has_begun = false;
    for (size_t i = 0; i < result->order.count; i++) {
        uint32_t event = result->order.items[i];
        has_begun |= run->block_of[event] == result->block + 1;
        if (has_begun && writes_variable(run, event, last))
            return event;
    }
    return 0;
}

/* Where the thread holds no lock any more, from an event on; 0: nowhere. */
static uint32_t end_of_section(const ser_run *run, uint32_t event)
{
    while (event && ser_run_held(run, event))
        event = ser_run_next(run, event);
    return event;
}

/* The order without what the thread of `stop` does after it. True if it would have written the
 * variable once more. */
static bool leave_out(const ser_run *run, const ser_event_list *order, uint32_t stop, uint32_t last,
                      ser_event_list *shorter)
{
    bool is_other = false;
    for (size_t i = 0; i < order->count; i++) {
        uint32_t event = order->items[i];
        if (event > stop && run->events[event].thread == run->events[stop].thread)
            is_other |= writes_variable(run, event, last);
        else
            ser_vector_push(shorter, event);
    }
    return is_other;
}

static bool is_witness(const ser_run *run, uint32_t block, const ser_event_list *order,
                       ser_witness_facts *facts)
{
    ser_checker *checker = ser_checker_create(run->events, run->count, NULL);
    ser_error ignored;
    ser_status status = ser_checker_check(checker, run->blocks.items[block].begin, false,
                                          order->items, order->count, facts, &ignored);
    ser_checker_destroy(checker);
    return status == SER_OK;
}

void ser_sharpen(const ser_run *run, ser_block_result *result)
{
    uint32_t last = last_access(run, result);
    uint32_t write = last ? first_between(run, result, last) : 0;
    uint32_t stop = write ? end_of_section(run, write) : 0;
    ser_event_list shorter = {0};
    ser_witness_facts facts = {0};
    if (stop && leave_out(run, &result->order, stop, last, &shorter) &&
        is_witness(run, result->block, &shorter, &facts)) {
        ser_event_list order = result->order;
        ser_witness_facts_fini(&result->facts);
        result->facts = facts;
        result->order = shorter;
        shorter = order;
    } else
        ser_witness_facts_fini(&facts);
    ser_vector_free(&shorter);
}
