/* SPDX-License-Identifier: MIT */
/* Blocks are first looked at with the events around them, all of them before any segment is
 * searched; what that has shown is said if there is no time for more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/predict.h"
#include "unit/marked_trace.h"
#include "unit/small_run.h"

enum { NEAR = 2, FURTHER = 5 };

/* Only D's last write can violate the block of A, and it was observed far away. */
static const char far_away[] = "B|w(p) B|w(p) B|w(p) B|w(p) B|w(p) B|w(p) B|w(p) "
                               "A|begin A|r(x) A|r(x) A|end "
                               "D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) D|w(x)";

typedef struct rounds {
    size_t count; /* of blocks that came up, in both rounds */
    size_t most;  /* after so many there is no more time */
} rounds;

static rounds now;

static bool is_late(void)
{
    return now.count > now.most;
}

static bool note(void *context, const ser_run *run, uint32_t block)
{
    (void)context;
    (void)run;
    (void)block;
    now.count++;
    return true;
}

static ser_prediction predict(const ser_run *run, uint32_t near, size_t most)
{
    const ser_predict_options options = {
        .near = near,
        .near_times = 1,
        .jobs = 1,
        .still_wanted = note,
        .should_stop = is_late,
        .search = {.switches = UINT32_MAX},
    };
    ser_prediction prediction;
    ser_error error;
    now = (rounds){.most = most};
    assert_int_equal(ser_predict(&prediction, run, &options, &error), SER_OK);
    return prediction;
}

static void test_bound(void **state)
{
    (void)state;
    small_trace trace = marked_trace_of(far_away);
    ser_run *run = small_run_of(&trace);
    ser_prediction prediction = predict(run, NEAR, 1);
    const ser_block_result *result = &prediction.results.items[0];
    assert_int_equal(result->verdict, SER_VERDICT_UNKNOWN);
    assert_int_equal(result->reason, SER_REASON_WINDOW);
    assert_int_equal(result->bound.first, 8 - NEAR);
    assert_int_equal(result->bound.last, 11 + NEAR);
    ser_prediction_fini(&prediction);
    prediction = predict(run, NEAR, 8);
    assert_int_equal(prediction.results.items[0].verdict, SER_VERDICT_VIOLATION);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

/* Of three blocks the last one is violated by what is near: that is known although the first two
 * have no answer yet. */
static void test_rounds(void **state)
{
    (void)state;
    small_trace trace = marked_trace_of("A|begin A|r(x) A|r(y) A|end A|begin A|r(x) A|r(y) A|end "
                                        "D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) "
                                        "D|w(q) D|w(q) E|begin E|r(z) B|w(z) E|r(z) E|end D|w(q) "
                                        "D|w(q) D|w(q) D|w(q) D|w(x) D|w(y)");
    ser_run *run = small_run_of(&trace);
    ser_prediction prediction = predict(run, NEAR, 3);
    assert_int_equal(prediction.results.items[2].verdict, SER_VERDICT_VIOLATION);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(prediction.results.items[i].reason, SER_REASON_WINDOW);
    assert_int_equal(now.count, 4);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

/* T waits until after the block, where B could only notify. Near the block T waits already, so that
 * nothing is found there, and no bound is known; but its wait could come later. */
static void test_pending_wait(void **state)
{
    (void)state;
    small_trace trace = marked_trace_of(
        "T|wait(c) D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) "
        "A|acq(m) A|begin A|r(x) A|r(x) A|end A|rel(m) T|acq(m) T|rel(m) B|notify(c) B|w(x) "
        "D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) D|w(q) D|w(q)");
    ser_run *run = small_run_of(&trace);
    ser_prediction prediction = predict(run, FURTHER, 8);
    const ser_block_result *result = &prediction.results.items[0];
    assert_int_equal(result->verdict, SER_VERDICT_VIOLATION);
    assert_int_equal(result->start, 0);
    assert_int_equal(result->bound.last, 0);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_pending_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
