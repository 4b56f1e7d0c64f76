/* SPDX-License-Identifier: MIT */
/*
 * Accesses are sorted by variable, by counting; as steps are grouped by thread, each
 * variable's accesses are then so, too. A second array has the writes alone.
 */
#include "predict/task/lanes.h"

static bool takes_part(const ser_must *must, uint32_t step)
{
    return must->task->steps.items[step].access && ser_must_can_happen(must, step);
}

/* Fills lanes->accesses, and returns where each variable's accesses start. */
static uint32_t *sort_by_variable(ser_lanes *lanes, const ser_must *must)
{
    const ser_task *task = must->task;
    uint32_t *starts = ser_alloc((size_t)task->variables + 2, sizeof *starts);
    /* Counts two places ahead, then starts one place ahead: filling moves each start
     * to where the next variable begins. */
    for (uint32_t i = 0; i < task->steps.count; i++)
        if (takes_part(must, i))
            starts[task->steps.items[i].variable + 2]++;
    for (uint32_t v = 2; v < task->variables + 2; v++)
        starts[v] += starts[v - 1];
    for (uint32_t i = 0; i < task->steps.count; i++)
        if (takes_part(must, i))
            lanes->accesses[starts[task->steps.items[i].variable + 1]++] = i;
    return starts;
}

static void add_access(ser_lanes *lanes, const ser_task_step *step, uint32_t place,
                       uint32_t *writes, bool is_first)
{
    if (is_first || lanes->all.items[lanes->all.count - 1].thread != step->thread) {
        ser_lane lane = {step->thread, {lanes->accesses + place, 0}, {lanes->writes + *writes, 0}};
        ser_vector_push(&lanes->all, lane);
    }
    ser_lane *lane = &lanes->all.items[lanes->all.count - 1];
    lane->accesses.count++;
    if (step->access == SER_ACCESS_READ)
        return;
    lanes->writes[(*writes)++] = lanes->accesses[place];
    lane->writes.count++;
}

void ser_lanes_init(ser_lanes *lanes, const ser_must *must)
{
    const ser_task *task = must->task;
    *lanes = (ser_lanes){
        .first_of = ser_alloc((size_t)task->variables + 1, sizeof *lanes->first_of),
        .accesses = ser_alloc(task->steps.count + 1, sizeof *lanes->accesses),
        .writes = ser_alloc(task->steps.count + 1, sizeof *lanes->writes),
    };
    uint32_t *starts = sort_by_variable(lanes, must), writes = 0;
    for (uint32_t v = 0; v < task->variables; v++) {
        lanes->first_of[v] = (uint32_t)lanes->all.count;
        for (uint32_t i = starts[v]; i < starts[v + 1]; i++)
            add_access(lanes, &task->steps.items[lanes->accesses[i]], i, &writes, i == starts[v]);
    }
    lanes->first_of[task->variables] = (uint32_t)lanes->all.count;
    free(starts);
}

void ser_lanes_fini(ser_lanes *lanes)
{
    ser_vector_free(&lanes->all);
    free(lanes->first_of);
    free(lanes->accesses);
    free(lanes->writes);
}

/* How many steps of the range come before the given one. */
static uint32_t count_below(ser_range range, uint32_t step)
{
    uint32_t low = 0, high = range.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (range.steps[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ser_range ser_range_from(ser_range range, uint32_t step)
{
    uint32_t skipped = count_below(range, step);
    return (ser_range){range.steps + skipped, range.count - skipped};
}

ser_range ser_range_until(ser_range range, uint32_t step)
{
    return (ser_range){range.steps, count_below(range, step)};
}

ser_range ser_range_not_before(ser_range range, const ser_must *must, uint32_t step)
{
    if (range.count == 0)
        return range;
    uint32_t thread = must->task->steps.items[range.steps[0]].thread;
    return ser_range_from(range, must->task->threads.items[thread].first +
                                     ser_must_count(must, thread, step));
}

ser_range ser_range_not_after(ser_range range, const ser_must *must, uint32_t step)
{
    uint32_t low = 0, high = range.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ser_must_precede(must, step, range.steps[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return (ser_range){range.steps, low};
}
