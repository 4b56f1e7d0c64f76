/* SPDX-License-Identifier: MIT */
/*
 * Prediction that looks around each block first (ser_predict_options.near), beside the brute force
 * over the whole trace: the verdicts are the same, and a witness that begins near its block is one
 * of the whole trace, also by checkpoints that are close together. Where nothing was found near a
 * block that can be violated, the brute force finds nothing there, either.
 */
#include "base/status.h"
#include "load.h"
#include "predict/predict.h"
#include "sample.h"
#include "witness/checkpoints.h"

typedef SER_VECTOR(uint32_t) order_list;

/* Everything before the start as observed, then the order. */
static void make_whole(const sample *s, const ser_block_result *result, order_list *whole)
{
    for (uint32_t i = 1; i < result->start; i++)
        if (ser_op_takes_part((ser_op)s->events.items[i - 1].op))
            ser_vector_push(whole, i);
    for (size_t i = 0; i < result->order.count; i++)
        ser_vector_push(whole, result->order.items[i]);
}

/* The order from the start on, and shorter ones, judged from checkpoints and from the first event.
 */
static bool checkpoints_differ(const sample *s, const ser_run *run, const ser_block_result *result,
                               const order_list *whole, difference *found)
{
    ser_checkpoints *near = ser_checkpoints_create(run->events, run->count, 1 + s->seed % 5);
    size_t before = whole->count - result->order.count;
    bool differs = false;
    for (size_t count = result->order.count; count > 0 && !differs; count--) {
        ser_witness_facts shown;
        ser_error error = {0};
        difference ignored;
        const ser_near_witness witness = {run->blocks.items[result->block].begin, result->start,
                                          run->count, result->order.items, count};
        bool accepted = ser_checkpoints_check(near, &witness, &shown, &error) == SER_OK;
        if (accepted != is_witness(s, result->block, 0, whole->items, before + count, &ignored))
            differs = differ(found, "block %u, %zu steps: wrong from a checkpoint: %s\n",
                             result->block, count, accepted ? "accepted" : error.text);
        ser_witness_facts_fini(&shown);
    }
    ser_checkpoints_destroy(near);
    return differs;
}

static bool bound_differs(const sample *s, const ser_block_result *result, difference *found)
{
    enum { MOST_STATES = 200000 };
    const ser_bound *bound = &result->bound;
    if (!bound->last || avp_search_window(&s->world, s->world.blocks[result->block].begin,
                                          bound->first, bound->last, MOST_STATES) != AVP_VIOLATION)
        return false;
    return differ(found, "the block of event %zu: missed within %llu..%llu\n",
                  s->world.blocks[result->block].begin, (unsigned long long)bound->first,
                  (unsigned long long)bound->last);
}

static bool result_differs(const sample *s, const ser_run *run, const ser_block_result *result,
                           difference *found)
{
    bool is_violated = result->verdict == SER_VERDICT_VIOLATION;
    order_list whole = {0};
    if (is_violated != (s->blocks[result->block].answer[0] == AVP_VIOLATION))
        return differ(found, "the block of event %zu: %s\n", s->world.blocks[result->block].begin,
                      ser_verdict_name(result->verdict));
    if (!is_violated)
        return false;
    if (bound_differs(s, result, found))
        return true;
    make_whole(s, result, &whole);
    bool differs = !is_witness(s, result->block, 0, whole.items, whole.count, found);
    if (differs)
        describe_order(found, "order", whole.items, whole.count);
    else if (result->start)
        differs = checkpoints_differ(s, run, result, &whole, found);
    ser_vector_free(&whole);
    return differs;
}

static bool fail_near(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (s->by_value || s->world.reads)
        return false; /* only the model avp */
    ser_run *run = load_sample(s);
    const ser_predict_options options = {
        .near = 1 + s->seed / 2 % 3,
        .near_times = 1,
        .no_minimise = s->seed / 8 % 4 == 0,
        .jobs = 1,
        .search = {.switches = UINT32_MAX},
    };
    ser_prediction prediction;
    ser_error error;
    bool differs = ser_predict(&prediction, run, &options, &error) != SER_OK &&
                   differ(found, "%s\n", error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = result_differs(s, run, &prediction.results.items[i], found);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    return differs;
}

const trial trial_near = {"near", fail_near, NULL, false};
