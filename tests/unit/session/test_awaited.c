/* SPDX-License-Identifier: MIT */
/* Loops that other threads end, and atomic operations that notice what others did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/judge/recheck.h"
#include "session/run/judge/waits/awaited.h"
#include "unit/small_run.h"

typedef struct subject {
    small_trace trace;
    ser_run *run;
} subject;

/* Sites are given as digits, one for each event. The thread T1 is in a block all the time. */
static subject open_subject(const char *text, const char *sites)
{
    subject s = {.trace = small_trace_of(text)};
    place_small_trace(&s.trace, sites);
    s.trace.events[0].flags |= SER_EVENT_OPENS;
    s.run = small_run_of(&s.trace);
    return s;
}

static void close_subject(subject *s)
{
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

static bool waits(const char *text, const char *sites, uint32_t from, uint32_t to)
{
    subject s = open_subject(text, sites);
    bool found = ser_waits_in_loop(s.run, 1, from, to);
    close_subject(&s);
    return found;
}

static void loops_whose_rounds_are_alike_wait(void **state)
{
    (void)state;
    /* Wakes the others in each round: y is set at site 2, x asked for at 1. */
    static const char wakes[] = "T1|call(f) T1|r(x) T1|w(y) T1|r(x) T1|w(y) T2|w(x) T1|r(x)";
    assert_true(waits(wakes, "0121231", 3, 5));
    assert_true(waits(wakes, "0121231", 2, 7));
    assert_false(waits(wakes, "0121231", 1, 2)); /* it has not come around yet */
    /* Another element each time. */
    assert_false(
        waits("T1|call(f) T1|r(x) T1|r(a) T1|r(x) T1|r(b) T2|w(x) T1|r(x)", "0121231", 2, 7));
    /* It writes what it asks for. */
    assert_false(
        waits("T1|call(f) T1|r(x) T1|w(x) T1|r(x) T1|w(x) T2|w(x) T1|r(x)", "0121231", 2, 7));
    /* Nobody ends it. */
    assert_false(
        waits("T1|call(f) T1|r(x) T1|w(y) T1|r(x) T1|w(y) T2|w(z) T1|r(x)", "0121231", 2, 7));
    /* One round that does something says nothing; one that only asks does. */
    assert_false(waits("T1|call(f) T1|r(x) T1|w(y) T2|w(x) T1|r(x)", "01231", 2, 5));
    assert_true(waits("T1|call(f) T1|r(x) T2|w(x) T1|r(x)", "0121", 2, 4));
}

static bool is_idle(const char *text, const char *sites, uint32_t look, uint16_t flow)
{
    subject s = open_subject(text, sites);
    for (uint32_t i = 1; i <= s.run->count; i++)
        if (s.run->events[i].site == s.run->events[look].site)
            s.run->events[i].flow |= flow; /* it is the code's */
    bool found = ser_is_idle_look(s.run, look);
    close_subject(&s);
    return found;
}

static void who_only_asks_is_idle(void **state)
{
    (void)state;
    static const char asks[] = "T1|call(f) T1|w(y) T2|r(y) T2|r(x) T1|w(x) T2|r(y) T2|r(x)";
    assert_true(is_idle(asks, "0123423", 4, SER_FLOW_DECIDES));
    assert_false(is_idle(asks, "0123423", 4, SER_FLOW_DATA)); /* it keeps what it reads */
    assert_false(is_idle(asks, "0123425", 4, 0));             /* and does something else then */
    assert_false(is_idle(asks, "0123423", 7, 0));             /* it has what it wanted */
    /* What it reads between changes. */
    assert_false(is_idle("T1|call(f) T2|r(x) T1|w(y) T1|w(x) T2|r(y) T2|r(x)", "012341", 2, 0));
}

/* Is T1's second access, after one of T2, one that notices? */
static bool is_rechecked(const char *text, uint16_t flow, bool changed)
{
    subject s = open_subject(text, "01234567");
    ser_witness_facts facts = {0};
    uint32_t last = s.run->count;
    for (uint32_t i = last - 2; i <= last; i++)
        ser_vector_push(&facts.path, i);
    if (changed)
        ser_vector_push(&facts.broken, last);
    s.run->events[last].flow |= flow;
    bool found = ser_is_rechecked(s.run, &facts);
    ser_witness_facts_fini(&facts);
    close_subject(&s);
    return found;
}

static void operations_notice_what_others_did(void **state)
{
    (void)state;
    static const char updates[] = "T1|call(f) T1|r(x) T2|rmw(x) T1|rmw(x)";
    assert_true(is_rechecked(updates, 0, true)); /* a compare-exchange */
    assert_false(is_rechecked(updates, 0, false));
    assert_false(is_rechecked(updates, SER_FLOW_MODIFIES, true));
    assert_true(is_rechecked(updates, SER_FLOW_MODIFIES | SER_FLOW_DECIDES, true));
    assert_false(is_rechecked("T1|call(f) T1|r(x) T2|w(x) T1|w(x)", SER_FLOW_DECIDES, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_whose_rounds_are_alike_wait),
        cmocka_unit_test(who_only_asks_is_idle),
        cmocka_unit_test(operations_notice_what_others_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
