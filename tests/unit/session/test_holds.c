/* SPDX-License-Identifier: MIT */
/* Where in its middle a request is held: between a read and a write of shared data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/survey/holds.h"
#include "unit/small_run.h"

static unsigned best_of(const char *text, unsigned *second)
{
    unsigned holds[SER_HOLDS];
    small_trace trace = small_trace_of(text);
    ser_run *run = small_run_of(&trace);
    ser_holds_find(run, holds);
    ser_run_destroy(run);
    small_trace_free(&trace);
    *second = holds[1];
    return holds[0];
}

static void what_is_read_before_and_written_after_is_best(void **state)
{
    unsigned second;
    (void)state;
    assert_int_equal(
        best_of("T2|w(x) T1|take(socket) T1|acq(l) T1|w(z) T1|rel(l) T1|acq(l) T1|r(x) "
                "T1|rel(l) T1|acq(m) T1|w(x) T1|rel(m)",
                &second),
        2);
    assert_int_equal(second, 1);
}

static void others_stay_in_their_order(void **state)
{
    static const char *const texts[] = {
        /* one section, no request, nobody else has the data, another request */
        "T2|w(x) T1|take(socket) T1|acq(l) T1|rel(l) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l)",
        "T2|w(x) T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|w(x) T1|rel(l)",
        "T1|take(socket) T1|acq(l) T1|rel(l) T1|acq(l) T1|r(x) T1|rel(l) T1|w(x)",
        "T2|w(x) T1|take(socket) T1|acq(l) T1|rel(l) T1|acq(l) T1|r(x) T1|rel(l) T1|take(socket) "
        "T1|w(x)",
        "T1|take(socket) T1|acq(l) T1|rel(l) T1|acq(l) T1|r(x) T1|rel(l) T1|w(x) T2|free(x)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        unsigned second;
        assert_int_equal(best_of(texts[i], &second), 1);
        assert_int_equal(second, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_before_and_written_after_is_best),
        cmocka_unit_test(others_stay_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
