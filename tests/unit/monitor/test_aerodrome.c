/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "monitor/engine.h"
#include "monitor/engines/clocks.h"
#include "unit/marked_trace.h"

typedef struct findings {
    bool go_on;
    char text[512]; /* "event:thread:block ..." */
} findings;

static bool note(void *context, const ser_violation *violation)
{
    findings *found = context;
    size_t used = strlen(found->text);
    snprintf(found->text + used, sizeof found->text - used, "%s%llu:%u:%llu", used ? " " : "",
             (unsigned long long)violation->event, violation->thread,
             (unsigned long long)violation->block);
    assert_null(violation->cycle);
    return found->go_on;
}

/* Threads are numbered from 0 in the order in which the text names them. */
static void assert_findings(const char *text, bool go_on, const char *expected)
{
    small_trace trace = marked_trace_of(text);
    findings found = {.go_on = go_on};
    ser_engine_config config = {note, &found};
    void *engine = ser_engine_aerodrome.create(&config);
    bool fed = ser_engine_aerodrome.feed(engine, trace.events, trace.count, 1);
    ser_engine_aerodrome.destroy(engine);
    small_trace_free(&trace);
    assert_string_equal(found.text, expected);
    assert_int_equal(fed, go_on || expected[0] == '\0');
}

static void assert_serializable(const char *text)
{
    assert_findings(text, false, "");
}

static void the_paper_s_examples(void **state)
{
    (void)state;
    assert_serializable("T1|begin T1|w(x) T2|begin T2|r(x) T2|end T3|begin T3|w(z) T3|end T1|r(z) "
                        "T1|end");
    assert_findings("T1|begin T2|begin T1|w(x) T2|r(x) T2|w(y) T1|r(y) T1|end T2|end", false,
                    "6:0:1");
    assert_findings("T1|begin T2|begin T1|w(x) T2|w(y) T1|r(y) T2|r(x) T1|end T2|end", false,
                    "7:1:2");
    assert_findings("T1|begin T1|w(x) T2|begin T2|w(y) T2|r(x) T2|end T3|begin T3|r(y) T3|w(z) "
                    "T3|end T1|r(z) T1|end",
                    false, "11:0:1");
}

static void single_events_lie_on_cycles(void **state)
{
    (void)state;
    assert_findings("T1|begin T1|r(x) T2|w(x) T1|w(x)", false, "4:0:1");
    assert_findings("T1|begin T1|w(x) T2|r(x) T2|w(y) T1|r(y)", false, "5:0:1");
    assert_serializable("T2|w(y) T1|begin T1|w(x) T2|r(x) T1|r(y)");
    assert_serializable("T1|begin T1|end T1|w(x) T2|r(x) T2|w(y) T1|r(y)");
}

static void a_thread_without_events_orders_nothing(void **state)
{
    (void)state;
    assert_serializable("T1|begin T1|fork(T2) T1|join(T2) T1|end");
    assert_findings("T1|begin T1|fork(T2) T2|r(x) T1|join(T2) T1|end", false, "4:0:1");
}

static void a_waiter_follows_its_notify(void **state)
{
    (void)state;
    assert_findings("T2|wait(c) T1|begin T1|notify(c) T2|w(x) T1|r(x)", false, "5:1:2");
    assert_serializable("T1|begin T1|notify(c) T2|wait(c) T2|w(x) T1|r(x)");
    assert_serializable("T2|wait(c) T3|notify(c) T1|begin T1|notify(c) T2|w(x) T1|r(x)");
}

static void locks_order_releases_before_acquires(void **state)
{
    (void)state;
    assert_findings("T1|begin T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) T1|acq(m)", false, "6:0:1");
    assert_serializable("T1|begin T1|racq(m) T1|rrel(m) T2|racq(m) T2|rrel(m) T1|racq(m)");
    assert_findings("T1|begin T1|racq(m) T1|rrel(m) T2|acq(m) T2|rel(m) T1|racq(m)", false,
                    "6:0:1");
    assert_findings("T1|begin T1|acq(m) T2|tryfail(m) T1|rel(m)", false, "4:0:1");
}

static void other_meetings_order_too(void **state)
{
    (void)state;
    assert_findings("T1|begin T1|post(s) T2|take(s) T2|w(x) T1|r(x)", false, "5:0:1");
    assert_findings("T1|begin T1|arrive(b) T2|arrive(b) T2|depart(b) T2|w(x) T1|r(x)", false,
                    "6:0:1");
    assert_findings("T1|begin T1|w(x) T2|rmw(x) T1|rmw(x)", false, "4:0:1");
}

static void a_block_is_reported_once(void **state)
{
    (void)state;
    assert_findings("T1|begin T1|r(x) T2|w(x) T1|w(x) T2|w(x) T1|w(x) T1|end "
                    "T1|begin T1|r(x) T2|w(x) T1|w(x) T1|end",
                    true, "4:0:1 11:0:8");
    assert_findings("T1|begin T1|r(x) T2|w(x) T1|w(x) T2|w(x) T1|w(x)", false, "4:0:1");
}

/* A cycle through as many open blocks as there are threads (more than one word
 * of bits holds). None has a larger clock than its neighbour until blocks end; with the
 * last end but one the cycle is known. */
static void a_long_cycle_is_found_when_all_but_one_ended(void **state)
{
    (void)state;
    enum { THREADS = 200 };
    static ser_event events[4 * THREADS];
    size_t count = 0;
    for (uint32_t t = 0; t < THREADS; t++)
        events[count++] = (ser_event){.op = SER_OP_BEGIN, .thread = t, .flags = SER_EVENT_OPENS};
    for (uint32_t t = 0; t < THREADS; t++)
        events[count++] = (ser_event){.op = SER_OP_WRITE, .thread = t, .object = t};
    for (uint32_t t = 0; t < THREADS; t++)
        events[count++] = (ser_event){.op = SER_OP_READ, .thread = (t + 1) % THREADS, .object = t};
    for (uint32_t t = 1; t < THREADS; t++)
        events[count++] = (ser_event){.op = SER_OP_END, .thread = t, .flags = SER_EVENT_CLOSES};

    findings found = {.go_on = false};
    ser_engine_config config = {note, &found};
    void *engine = ser_engine_aerodrome.create(&config);
    assert_true(ser_engine_aerodrome.feed(engine, events, count - 1, 1));
    assert_string_equal(found.text, "");
    assert_false(ser_engine_aerodrome.feed(engine, &events[count - 1], 1, count));
    assert_string_equal(found.text, "799:0:1");
    ser_engine_aerodrome.destroy(engine);
}

/* A clock has a time for each thread: one for each would fill any memory. */
static void threads_that_know_no_block_need_no_clock(void **state)
{
    (void)state;
    enum { THREADS = 100000 };
    ser_clocks clocks = {0};
    for (uint32_t thread = 0; thread < THREADS; thread++)
        ser_clocks_admit(&clocks, thread);
    assert_int_equal(clocks.clocks.count, 0);
    for (uint32_t thread = 0; thread < THREADS; thread += THREADS / 4) {
        ser_clocks_begin(&clocks, thread);
        assert_true(ser_clocks_token(&clocks, thread));
        ser_clocks_end(&clocks, thread, NULL, NULL);
        assert_false(ser_clocks_token(&clocks, thread));
    }
    assert_int_equal(clocks.clocks.count, 1);
    ser_clocks_fini(&clocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_examples),
        cmocka_unit_test(single_events_lie_on_cycles),
        cmocka_unit_test(a_thread_without_events_orders_nothing),
        cmocka_unit_test(a_waiter_follows_its_notify),
        cmocka_unit_test(locks_order_releases_before_acquires),
        cmocka_unit_test(other_meetings_order_too),
        cmocka_unit_test(a_block_is_reported_once),
        cmocka_unit_test(a_long_cycle_is_found_when_all_but_one_ended),
        cmocka_unit_test(threads_that_know_no_block_need_no_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
