/* SPDX-License-Identifier: MIT */
#include "session/run/analysis/between.h"

/* Where it begins, and ends. */
typedef struct section {
    uint32_t acquire, release;
} section;

/* The one that the cycle goes through, if it is outside of blocks. */
static bool find_section(const ser_run *run, const ser_steps *cycle, section *found)
{
    if (cycle->count < 2)
        return false;
    *found = (section){(uint32_t)cycle->items[0].to.number,
                       (uint32_t)cycle->items[cycle->count - 1].from.number};
    return ser_op_acquires((ser_op)run->events[found->acquire].op) &&
           run->match[found->acquire] == found->release && run->block_of[found->acquire] == 0 &&
           run->block_of[found->release] == 0;
}

static bool conflict(const ser_event *one, const ser_event *other)
{
    ser_op first = (ser_op)one->op, second = (ser_op)other->op;
    return ser_op_is_access(first) && ser_op_is_access(second) && one->object == other->object &&
           (ser_op_writes(first) || ser_op_writes(second));
}

/* An access of the section that conflicts with one of the block; 0: none does. */
static uint32_t find_conflict(const ser_run *run, const section *between, uint32_t access)
{
    for (uint32_t i = between->acquire; i && i < between->release; i = ser_run_next(run, i))
        if (conflict(&run->events[i], &run->events[access]))
            return i;
    return 0;
}

static ser_moment moment_of(const ser_run *run, uint32_t event, uint32_t block)
{
    return (ser_moment){.number = event, .event = run->events[event], .block = block};
}

static void add_step(ser_finding *finding, const ser_run *run, uint32_t from, uint32_t to,
                     bool begins)
{
    const ser_step step = {.from = moment_of(run, from, begins ? finding->block : SER_NO_BLOCK),
                           .to = moment_of(run, to, begins ? SER_NO_BLOCK : finding->block),
                           .by = SER_EDGE_VARIABLE,
                           .object = run->events[from].object};
    ser_vector_push(&finding->steps, step);
}

bool ser_find_section_between(const ser_run *run, const ser_finding *by_locks, ser_finding *in_data)
{
    section between;
    uint32_t before = 0, first = 0, last = 0, after = 0;
    uint32_t begin = (uint32_t)by_locks->begin, block = begin ? run->block_of[begin] : 0;
    if (!block || !find_section(run, &by_locks->steps, &between))
        return false;
    for (uint32_t i = begin; i && run->block_of[i] == block && !after; i = ser_run_next(run, i)) {
        uint32_t meets = find_conflict(run, &between, i);
        if (meets && i < between.acquire) {
            before = i;
            first = meets;
        } else if (meets && i > between.release && before) {
            after = i;
            last = meets;
        }
    }
    if (!after)
        return false;
    *in_data = *by_locks;
    in_data->steps = (ser_steps){0};
    add_step(in_data, run, before, first, true);
    add_step(in_data, run, last, after, false);
    return true;
}
