/* SPDX-License-Identifier: MIT */
/*
 * Two searches, forwards and backwards from the block. An access is visited once; of
 * each lane of its variable only the first rival matters (backwards: the last), as
 * the others of the thread follow from it.
 */
#include "predict/smt/encode/spans.h"

typedef struct search {
    ser_encoding *encoding;
    ser_spans *spans;
    const ser_groups *groups;
    SER_VECTOR(uint32_t) work; /* accesses to visit */
} search;

static void push_accesses(search *at, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (ser_encoding_step(at->encoding, i)->access)
            ser_vector_push(&at->work, i);
}

/* The search got to this access, going forwards: on with all from its group on. */
static void arrive(search *at, uint32_t step)
{
    uint32_t *from = &at->spans->from[ser_encoding_step(at->encoding, step)->thread];
    uint32_t first =
        at->groups ? at->groups->first[step] : ser_task_move_first(at->encoding->task, step);
    if (first >= *from)
        return;
    push_accesses(at, first, *from);
    *from = first;
}

static void arrive_backwards(search *at, uint32_t step)
{
    uint32_t *to = &at->spans->to[ser_encoding_step(at->encoding, step)->thread];
    uint32_t end = at->groups ? at->groups->end[step] : ser_task_move_end(at->encoding->task, step);
    if (end <= *to)
        return;
    push_accesses(at, *to, end);
    *to = end;
}

static void visit(search *at, uint32_t step, bool forward)
{
    const ser_encoding *encoding = at->encoding;
    const ser_task_step *here = ser_encoding_step(encoding, step);
    const ser_lanes *lanes = &encoding->lanes;
    for (uint32_t i = lanes->first_of[here->variable]; i < lanes->first_of[here->variable + 1];
         i++) {
        const ser_lane *lane = &lanes->all.items[i];
        ser_range rivals = ser_lane_rivals(lane, here->access);
        if (lane->thread == here->thread ||
            (!at->groups && lane->thread == encoding->task->block_thread))
            continue;
        rivals = forward ? ser_range_not_before(rivals, &encoding->must, step)
                         : ser_range_not_after(rivals, &encoding->must, step);
        if (rivals.count && forward)
            arrive(at, rivals.steps[0]);
        else if (rivals.count)
            arrive_backwards(at, rivals.steps[rivals.count - 1]);
    }
}

static void visit_all(search *at, bool forward)
{
    while (at->work.count && !ser_encoding_must_stop(at->encoding))
        visit(at, at->work.items[--at->work.count], forward);
}

/* The block's accesses that can happen. */
static void start(search *at)
{
    const ser_task *task = at->encoding->task;
    for (uint32_t i = task->first_block_step; i <= task->last_block_step; i++)
        if (task->steps.items[i].access && ser_encoding_can_happen(at->encoding, i))
            ser_vector_push(&at->work, i);
}

void ser_spans_init(ser_spans *spans, ser_encoding *encoding, const ser_groups *groups)
{
    const ser_task *task = encoding->task;
    size_t threads = task->threads.count;
    search at = {.encoding = encoding, .spans = spans, .groups = groups};
    spans->from = ser_alloc(threads + 1, sizeof *spans->from);
    spans->to = ser_alloc(threads + 1, sizeof *spans->to);
    for (size_t t = 0; t < threads; t++) {
        spans->to[t] = task->threads.items[t].first;
        spans->from[t] = spans->to[t] + encoding->must.possible[t];
    }
    start(&at);
    uint32_t *from = &spans->from[task->block_thread], *to = &spans->to[task->block_thread];
    if (groups && at.work.count) { /* what follows the block, and what precedes it */
        uint32_t block_end = groups->end[task->first_block_step];
        push_accesses(&at, block_end, *from);
        *from = block_end;
    }
    visit_all(&at, true);
    start(&at);
    if (groups && at.work.count) {
        uint32_t block_first = groups->first[task->first_block_step];
        push_accesses(&at, *to, block_first);
        *to = block_first;
    }
    visit_all(&at, false);
    ser_vector_free(&at.work);
}

void ser_spans_fini(ser_spans *spans)
{
    free(spans->from);
    free(spans->to);
}
