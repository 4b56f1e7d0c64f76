/* SPDX-License-Identifier: MIT */
/*
 * Prediction from the events that matter alone, beside the brute force over all of them. Witnesses
 * are made whole again, and executed with the spared events in place.
 */
#include "base/status.h"
#include "order/sieve.h"
#include "predict/predict.h"
#include "sample.h"

static ser_run *sift(const sample *s, ser_numbering *numbering)
{
    ser_error error;
    ser_users users = {0};
    ser_users_add(&users, s->events.items, s->events.count);
    ser_sieve *sieve = ser_sieve_create(NULL, &users, numbering);
    size_t half = s->seed % (s->events.count + 1); /* a batch may end anywhere */
    ser_check(ser_sieve_add(sieve, s->events.items, half, &error) == SER_OK);
    ser_check(ser_sieve_add(sieve, s->events.items + half, s->events.count - half, &error) ==
              SER_OK);
    ser_run *run = ser_sieve_finish(sieve, &error);
    ser_check(run != NULL);
    ser_users_fini(&users);
    return run;
}

static bool order_differs(const sample *s, const ser_run *run, const ser_block_result *result,
                          difference *found)
{
    ser_number_list whole = {0};
    SER_VECTOR(uint32_t) order = {0};
    ser_numbering_expand(run, &result->order, &whole);
    for (size_t i = 0; i < whole.count; i++)
        ser_vector_push(&order, (uint32_t)whole.items[i]);
    bool good = is_witness(s, result->block, 0, order.items, order.count, found);
    if (!good)
        describe_order(found, "order", order.items, order.count);
    ser_vector_free(&order);
    ser_vector_free(&whole);
    return !good;
}

/* Of the block's thread, from its first event to its last. */
static uint32_t count_events(const sample *s, size_t block)
{
    size_t begin = s->world.blocks[block].begin;
    uint32_t thread = s->events.items[begin - 1].thread, count = 0;
    for (size_t i = begin - 1; i < s->events.count; i++) {
        const ser_event *event = &s->events.items[i];
        if (event->thread != thread)
            continue;
        count += ser_op_takes_part((ser_op)event->op);
        if (event->flags & SER_EVENT_CLOSES)
            break;
    }
    return count;
}

static bool result_differs(const sample *s, const ser_run *run, const ser_block_result *result,
                           difference *found)
{
    const sample_block *right = &s->blocks[result->block];
    size_t begin = s->world.blocks[result->block].begin;
    if (ser_run_number(run, run->blocks.items[result->block].begin) != begin)
        return differ(found, "the block of event %zu begins with another number\n", begin);
    if (result->events != count_events(s, result->block))
        return differ(found, "the block of event %zu has %u events\n", begin, result->events);
    if (result->verdict == SER_VERDICT_VIOLATION)
        return order_differs(s, run, result, found);
    if (result->verdict == SER_VERDICT_UNKNOWN)
        return !s->large && differ(found, "the block of event %zu is unknown\n", begin);
    return right->answer[0] == AVP_VIOLATION &&
           differ(found, "the violation of the block of event %zu is missed\n", begin);
}

static bool fail_sifted(const trial *t, const sample *s, difference *found)
{
    (void)t;
    if (s->by_value || s->world.reads)
        return false; /* only the model avp */
    ser_numbering numbering = {0};
    ser_run *run = sift(s, &numbering);
    ser_prediction prediction;
    ser_error error;
    const ser_predict_options options = {
        .jobs = 1,
        .no_static = s->seed % 2,
        .no_segment = s->seed % 3 == 0,
        .timeout = s->large ? 0.5 : 0,
        .search = {.switches = UINT32_MAX},
    };
    bool differs = ser_predict(&prediction, run, &options, &error) != SER_OK &&
                   differ(found, "%s\n", error.text);
    if (!differs && prediction.results.count != s->world.block_count)
        differs = differ(found, "a block is missing\n");
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = result_differs(s, run, &prediction.results.items[i], found);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    ser_numbering_fini(&numbering);
    return differs;
}

const trial trial_sifted = {"sifted", fail_sifted, NULL, true};
