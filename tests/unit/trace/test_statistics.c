/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "trace/blocks/blocks.h"
#include "trace/statistics.h"
#include "trace/validate/validate.h"
#include "unit/small_trace.h"

static ser_counts count(const char *text, const char *atomic)
{
    small_trace trace = small_trace_of(text);
    ser_validator *validator = ser_validator_create(trace.symbols, true);
    ser_blocks *blocks;
    size_t good;
    ser_validator_check(validator, trace.events, trace.count, 1, &good, NULL);
    assert_int_equal(ser_blocks_create(&blocks, atomic, trace.symbols, NULL), SER_OK);
    ser_blocks_mark(blocks, trace.events, trace.count);

    ser_statistics *statistics = ser_statistics_create();
    ser_statistics_add(statistics, trace.events, 1);
    ser_statistics_add(statistics, trace.events + 1, trace.count - 1);
    ser_counts counts = ser_statistics_counts(statistics);
    ser_statistics_destroy(statistics);
    ser_blocks_destroy(blocks);
    ser_validator_destroy(validator);
    small_trace_free(&trace);
    return counts;
}

static void events_are_counted_by_kind(void **state)
{
    (void)state;
    ser_counts counts = count("T1|r(x) T1|w(x) T2|rmw(y) T1|acq(m) T1|rel(m) T1|racq(n) T1|rrel(n) "
                              "T1|wait(c) T2|notify(c) T2|notifyall(c) T1|fork(T3)",
                              NULL);
    assert_int_equal(counts.events, 11);
    assert_int_equal(counts.threads, 2); /* T3 has no events */
    assert_int_equal(counts.accesses, 3);
    assert_int_equal(counts.variables, 2);
    assert_int_equal(counts.lock_events, 4);
    assert_int_equal(counts.locks, 2);
    assert_int_equal(counts.waits_and_notifies, 3);
    assert_int_equal(counts.operations[SER_OP_WRITE], 1);
    assert_int_equal(counts.objects[SER_SPACE_CONDITION], 1);
    assert_int_equal(counts.blocks, 0);
}

static void outermost_blocks_are_counted(void **state)
{
    (void)state;
    const char *text = "T1|begin T2|begin T1|begin T1|acq(m) T1|end T1|end T1|rel(m) T1|begin";
    ser_counts counts = count(text, "markers");
    assert_int_equal(counts.blocks, 3);
    assert_int_equal(counts.open_blocks, 2);
    assert_int_equal(counts.longest_block, 5);
    assert_int_equal(counts.deepest_begin, 2);
    counts = count(text, "locks");
    assert_int_equal(counts.blocks, 1);
    assert_int_equal(counts.open_blocks, 0);
    assert_int_equal(counts.longest_block, 4);
}

static void dropped_events_count_as_events_only(void **state)
{
    (void)state;
    ser_counts counts = count("T1|r(x) T2|rel(m) T1|end", NULL);
    assert_int_equal(counts.events, 3);
    assert_int_equal(counts.skipped, 2);
    assert_int_equal(counts.threads, 1);
    assert_int_equal(counts.locks, 0);
    assert_int_equal(counts.lock_events, 0);
}

/* Values of accesses are no numbers of operations. */
static void operations_that_were_elided(void **state)
{
    (void)state;
    small_trace trace = small_trace_of("T1|call(f) T1|r(x) T1|skip T1|ret(f) T1|call(f)");
    for (size_t i = 0; i < 4; i++) {
        trace.events[i].flags = SER_EVENT_HAS_VALUE;
        trace.events[i].value = UINT64_C(1) << i;
    }
    ser_statistics *statistics = ser_statistics_create();
    ser_statistics_add(statistics, trace.events, trace.count);
    assert_int_equal(ser_statistics_counts(statistics).elided, 1 + 4 + 8);
    ser_statistics_destroy(statistics);
    small_trace_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_counted_by_kind),
        cmocka_unit_test(outermost_blocks_are_counted),
        cmocka_unit_test(dropped_events_count_as_events_only),
        cmocka_unit_test(operations_that_were_elided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
