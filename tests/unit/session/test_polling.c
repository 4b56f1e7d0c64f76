/* SPDX-License-Identifier: MIT */
/* What only polling shows is no bug. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <time.h>

#include "session/run/judge/waits/polling.h"
#include "unit/small_run.h"

/* Sites are given as digits, one for each event; `l` is in a header of a library. */
static uint32_t add_site(ser_symbols *symbols, char digit)
{
    const char of_library[] = "/usr/include/map:1";
    return digit == 'l'
               ? ser_symbols_add_site(symbols, of_library, strlen(of_library), SER_NO_OBJECT)
               : ser_symbols_add_site(symbols, &digit, 1, SER_NO_OBJECT);
}

/* The thread T1 is in a block all the time. */
static bool is_polling(const char *text, const char *sites, uint32_t from, uint32_t to)
{
    small_trace trace = small_trace_of(text);
    ser_witness_facts facts = {0};
    for (size_t i = 0; i < trace.count; i++)
        trace.events[i].site = add_site(trace.symbols, sites[i]);
    trace.events[0].flags |= SER_EVENT_OPENS;
    ser_run *run = small_run_of(&trace);
    ser_vector_push(&facts.path, from);
    ser_vector_push(&facts.path, 2); /* what comes between does not matter */
    ser_vector_push(&facts.path, to);
    bool polls = ser_is_polling(run, 1, &facts, NULL);
    ser_witness_facts_fini(&facts);
    ser_run_destroy(run);
    small_trace_free(&trace);
    return polls;
}

static void loops_that_wait_for_a_value_poll(void **state)
{
    (void)state;
    static const char spins[] = "T1|call(f) T1|r(x) T1|r(x) T2|w(x) T1|r(x)";
    assert_true(is_polling(spins, "01121", 2, 5));
    assert_false(is_polling(spins, "01324", 2, 5)); /* at other places */
    assert_false(is_polling("T1|call(f) T1|r(x) T2|w(x) T1|r(x)", "0121", 2, 4)); /* only twice */
    assert_false(is_polling("T1|call(f) T1|r(x) T1|r(x) T2|w(x) T1|w(x)", "01121", 2, 5));
    assert_false(is_polling("T1|begin T1|r(x) T1|r(x) T2|w(x) T1|r(x)", "01121", 2, 5));
    /* A function of a library that two others call is one place only in name. */
    static const char two_ways[] = "T1|call(f) T1|call(has) T1|r(x) T1|ret(has) T2|w(x) "
                                   "T1|call(add) T1|r(x) T1|r(x) T1|ret(add)";
    assert_false(is_polling(two_ways, "021222112", 3, 7));
    static const char one_way[] = "T1|call(f) T1|call(load) T1|r(x) T1|ret(load) T1|call(load) "
                                  "T1|r(x) T1|ret(load) T2|w(x) T1|call(load) T1|r(x) T1|ret(load)";
    assert_true(is_polling(one_way, "02122122212", 3, 10));
    /* A function that is called in several places is no loop. */
    assert_false(is_polling(one_way, "02132142215", 3, 10));
    /* In a library, which has no calls in the trace, it is the lock that tells calls apart. */
    static const char locked[] = "T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T2|w(x) "
                                 "T1|acq(m) T1|r(x) T1|r(x) T1|rel(m)";
    assert_false(is_polling(locked, "02l223ll2", 3, 7));
    assert_true(is_polling(locked, "02l222ll2", 3, 7));
    assert_true(is_polling(locked, "021223112", 3, 7));
    /* Twice, and another call only once. */
    static const char calls[] = "T1|call(f) T1|r(x) T2|w(x) T1|r(x) T1|ret(f) "
                                "T2|call(f) T2|r(x) T2|ret(f)";
    assert_true(is_polling(calls, "01213011", 2, 4));
    /* Another operation in the same line, or the same one in another function, is another visit. */
    static const char one_line[] = "T1|call(f) T1|r(x) T2|w(x) T1|r(x) T1|ret(f) "
                                   "T2|call(f) T2|r(x) T2|w(x) T2|ret(f)";
    assert_true(is_polling(one_line, "012130111", 2, 4));
    static const char two_functions[] = "T1|call(f) T1|r(x) T2|w(x) T1|r(x) T1|ret(f) "
                                        "T2|call(f) T2|r(x) T2|call(g) T2|r(x) T2|ret(g) T2|ret(f)";
    assert_true(is_polling(two_functions, "01213012111", 2, 4));
    /* A lock of the program's own: it spins with read-modify-writes. */
    assert_true(is_polling("T1|call(f) T1|rmw(x) T1|rmw(x) T2|w(x) T1|rmw(x)", "01121", 2, 5));
}

static void waits_let_others_in(void **state)
{
    (void)state;
    assert_true(is_polling("T1|call(f) T1|r(x) T1|wait(c) T2|w(x) T1|r(x)", "01234", 2, 5));
    assert_true(is_polling("T1|call(f) T1|r(x) T1|wait(c) T2|w(x) T1|w(y)", "01234", 2, 5));
    assert_false(is_polling("T1|call(f) T1|r(x) T2|wait(c) T2|w(x) T1|r(x)", "01234", 2, 5));
}

static void who_asks_whether_to_wait_lets_others_in(void **state)
{
    (void)state;
#define T2_WAITS " T2|ret(g) T3|r(x) T3|call(h) T3|wait(c) T3|ret(h)"
    assert_true(
        is_polling("T1|call(f) T1|w(y) T2|call(g) T2|w(x) T1|r(x)" T2_WAITS, "0123454567", 2, 5));
    /* nobody waits there */
    assert_false(
        is_polling("T1|call(f) T1|w(y) T2|call(g) T2|w(x) T1|r(x)" T2_WAITS, "0123458567", 2, 5));
    /* it has looked at that before */
    assert_false(
        is_polling("T1|call(f) T1|r(x) T2|call(g) T2|w(x) T1|r(x)" T2_WAITS, "0123454567", 2, 5));
}

/* It is asked of each of thousands of violations. */
static void a_long_run_of_looks_is_gone_through_once(void **state)
{
    (void)state;
    enum { LOOKS = 200000 };
    small_trace trace = small_trace_of("T1|call(f) T1|r(x) T2|w(x) T1|r(x) T2|r(y)");
    place_small_trace(&trace, "01211");
    trace.events[0].flags |= SER_EVENT_OPENS;
    ser_run_builder *builder = ser_run_builder_create(trace.symbols);
    ser_error error;
    assert_int_equal(ser_run_builder_add(builder, trace.events, trace.count, &error), SER_OK);
    for (size_t i = 0; i < LOOKS; i++)
        assert_int_equal(ser_run_builder_add(builder, &trace.events[4], 1, &error), SER_OK);
    ser_run *run = ser_run_builder_finish(builder);
    ser_witness_facts facts = {0};
    for (uint32_t i = 2; i <= 4; i++)
        ser_vector_push(&facts.path, i);
    clock_t begin = clock();
    assert_false(ser_is_polling(run, 1, &facts, NULL));
    assert_true(clock() - begin < CLOCKS_PER_SEC);
    ser_witness_facts_fini(&facts);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void a_compare_exchange_that_failed_knows(void **state)
{
    (void)state;
    static const char retries[] = "T1|call(f) T1|r(x) T2|rmw(x) T1|r(x) T1|rmw(x)";
    assert_true(is_polling(retries, "01222", 2, 4));
    assert_true(is_polling(retries, "01222", 4, 5));
    assert_false(is_polling("T1|call(f) T1|r(x) T2|rmw(x) T1|r(x) T1|w(x)", "01234", 2, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_wait_for_a_value_poll),
        cmocka_unit_test(waits_let_others_in),
        cmocka_unit_test(who_asks_whether_to_wait_lets_others_in),
        cmocka_unit_test(a_long_run_of_looks_is_gone_through_once),
        cmocka_unit_test(a_compare_exchange_that_failed_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
