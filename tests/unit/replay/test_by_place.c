/* SPDX-License-Identifier: MIT */
/* Turns that end by place, and following them. The places of these events are not known, so that
 * their operations distinguish them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "contract/place.h"
#include "replay/follow.h"
#include "unit/small_run.h"

typedef struct subject {
    small_trace trace;
    ser_run *run;
    ser_plan plan;
    ser_follower follower;
} subject;

/* Numbers of skip events are those of operations that were elided. */
static void open_subject(subject *s, const char *events, const uint32_t *order)
{
    ser_error error;
    size_t count = 0;
    *s = (subject){.trace = small_trace_of(events)};
    for (size_t i = 0; i < s->trace.count; i++) {
        ser_event *event = &s->trace.events[i];
        if (event->op != SER_OP_SKIP)
            continue;
        event->value =
            strtoull(ser_symbols_name(s->trace.symbols, SER_SPACE_LABEL, event->object), NULL, 10);
        event->flags |= SER_EVENT_HAS_VALUE;
    }
    s->run = small_run_of(&s->trace);
    while (order[count])
        count++;
    assert_int_equal(ser_plan_make(&s->plan, s->run, order, count, &error), SER_OK);
    ser_plan_by_place(&s->plan);
    ser_follower_init(&s->follower, &s->plan, true);
}

static void close_subject(subject *s)
{
    ser_follower_fini(&s->follower);
    ser_plan_fini(&s->plan);
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

static void expect_turn(const subject *s, size_t index, uint8_t op, uint32_t times, uint64_t after,
                        uint32_t following)
{
    const ser_turn *turn = &s->plan.turns.items[index];
    assert_true(index < s->plan.turns.count);
    assert_int_equal(turn->place, ser_place_with(0, op));
    assert_int_equal(turn->times, times);
    assert_int_equal(turn->after, after);
    assert_int_equal(turn->following, following);
    assert_true(turn->most > 0);
}

static void see(subject *s, uint16_t thread, uint8_t op)
{
    const ser_record record = {.thread = thread, .op = op};
    assert_true(ser_follower_look(&s->follower, NULL, &record, 1));
}

static void lose(subject *s, uint16_t thread, uint64_t why)
{
    const ser_record record = {.thread = thread, .op = SER_RAW_TURN_LOST, .value = why};
    assert_true(ser_follower_look(&s->follower, NULL, &record, 1));
}

static void runtime_and_plan_have_the_same_places(void **state)
{
    (void)state;
    assert_int_equal(ser_place_of_line("src/bank.c", 120, 0), ser_place_of_text("src/bank.c:120"));
    assert_int_equal(ser_place_of_line("bank.c", 12, 7), ser_place_of_text("bank.c:12:7"));
    assert_int_equal(ser_place_of_line("", 0, 0), ser_place_of_text(":0"));
    assert_int_not_equal(ser_place_of_line("bank.c", 12, 0), ser_place_of_line("bank.c", 21, 0));
    assert_int_not_equal(ser_place_with(7, SER_OP_READ), ser_place_with(7, SER_OP_WRITE));
}

static void a_turn_ends_at_the_last_visit_of_its_place(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, "T1|r(x) T1|w(x) T1|r(x) T2|w(x) T1|r(x) T1|w(x)",
                 (const uint32_t[]){1, 2, 3, 4, 5, 6, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, SER_OP_READ, 2, 0, 3);
    expect_turn(&s, 1, SER_OP_WRITE, 1, 0, 0);
    expect_turn(&s, 2, SER_OP_WRITE, 1, 0, 0);
    close_subject(&s);
}

/* Those are seen in a replay, and may be at the same place: what comes behind them is counted. */
static void a_turn_counts_behind_what_was_elided(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, "T1|r(x) T1|skip(4) T1|r(x) T1|r(x) T2|w(x)",
                 (const uint32_t[]){1, 3, 4, 5, 0});
    expect_turn(&s, 0, SER_OP_READ, 2, 5, 0);
    close_subject(&s);
}

static void a_thread_that_leaves_its_path_is_noted_and_goes_on(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, "T1|r(x) T1|w(y) T1|w(x) T2|w(x)", (const uint32_t[]){1, 2, 3, 4, 0});
    see(&s, 1, SER_OP_READ);
    see(&s, 1, SER_OP_ACQUIRE);
    assert_true(s.follower.diverged);
    assert_true(s.follower.followed.items[1].astray);
    assert_int_equal(s.follower.followed.items[1].left, 2);
    assert_int_equal(s.follower.event, 2);
    see(&s, 1, SER_OP_RELEASE); /* nothing is expected of it any more */
    see(&s, 2, SER_OP_READ);    /* the second one that leaves */
    assert_int_equal(s.follower.followed.items[2].left, 4);
    assert_int_equal(s.follower.event, 2);
    assert_false(ser_follower_is_done(&s.follower));
    close_subject(&s);
}

/* A thread on another path may end, or wait, before it comes where its turn ends; that a thread on
 * its path does, or that anyone makes too many steps, is a failure of the replay. */
static void lost_turns_are_told_apart(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, "T1|r(x) T1|w(x) T2|w(x)", (const uint32_t[]){1, 2, 3, 0});
    see(&s, 1, SER_OP_ACQUIRE);
    lose(&s, 1, SER_DIVERGED_ENDED);
    assert_int_equal(s.follower.lost, 1);
    assert_int_equal(s.follower.bounds, 0);
    lose(&s, 1, SER_DIVERGED_ASTRAY);
    assert_int_equal(s.follower.bounds, 1);
    lose(&s, 2, SER_DIVERGED_BLOCKED);
    assert_int_equal(s.follower.bounds, 2);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runtime_and_plan_have_the_same_places),
        cmocka_unit_test(a_turn_ends_at_the_last_visit_of_its_place),
        cmocka_unit_test(a_turn_counts_behind_what_was_elided),
        cmocka_unit_test(a_thread_that_leaves_its_path_is_noted_and_goes_on),
        cmocka_unit_test(lost_turns_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
