/* SPDX-License-Identifier: MIT */
/* Data races, and functions that take care although they are not atomic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/judge/harmless.h"
#include "session/run/judge/stale.h"
#include "session/run/survey/races.h"
#include "session/run/survey/uses.h"
#include "unit/session/called_block.h"

/* Is there a race on the only variable? With `atomic`, all accesses are. */
static bool is_racy(const char *text, bool atomic)
{
    subject s = open_subject(text);
    for (uint32_t i = 1; atomic && i <= s.run->count; i++)
        if (ser_op_is_access((ser_op)s.run->events[i].op))
            s.run->events[i].flow |= SER_FLOW_ATOMIC;
    bool *racy = ser_races_find(s.run, NULL);
    bool found = racy[0];
    free(racy);
    close_subject(&s);
    return found;
}

static void races_are_accesses_without_order(void **state)
{
    (void)state;
    assert_true(is_racy("T1|w(x) T2|r(x)", false));
    assert_false(is_racy("T1|w(x) T2|r(x)", true));
    assert_false(is_racy("T1|r(x) T2|r(x)", false));
    assert_false(is_racy("T1|w(x) T1|fork(T2) T2|w(x) T1|join(T2) T1|r(x)", false));
    assert_true(is_racy("T1|fork(T2) T1|w(x) T2|w(x)", false));
    assert_false(is_racy("T1|acq(m) T1|w(x) T1|rel(m) T2|acq(m) T2|w(x) T2|rel(m)", false));
    assert_true(is_racy("T1|acq(m) T1|w(x) T1|rel(m) T2|acq(n) T2|w(x) T2|rel(n)", false));
    assert_false(is_racy("T1|w(x) T1|post(s) T2|take(s) T2|r(x)", false));
    assert_false(is_racy("T1|rmw(x) T2|rmw(x)", false));
    assert_true(is_racy("T1|rmw(x) T2|w(x)", false));
}

/* Is T1's block careful with the variables that T1 and T2 access? */
static bool is_careful(const char *text)
{
    subject s = open_subject(text);
    ser_care care = {.run = s.run};
    ser_event_list accesses = {0};
    for (uint32_t i = 1; i <= s.run->count; i++)
        if (ser_op_is_access((ser_op)s.run->events[i].op))
            ser_vector_push(&accesses, i);
    bool careful = ser_care_is_taken(&care, 0, accesses.items, accesses.count);
    ser_vector_free(&accesses);
    ser_care_fini(&care);
    close_subject(&s);
    return careful;
}

#define OTHER " T2|acq(m) T2|w(x) T2|rel(m)"

static void what_is_read_before_is_not_to_be_overwritten(void **state)
{
    (void)state;
    assert_false(is_careful("T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T1|acq(m) T1|w(x) T1|rel(m) "
                            "T1|ret(f)" OTHER));
    assert_true(is_careful("T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T1|acq(m) T1|r(x) T1|w(x) "
                           "T1|rel(m) T1|ret(f)" OTHER));
    assert_true(is_careful("T1|call(f) T1|acq(m) T1|r(x) T1|w(x) T1|rel(m) T1|acq(m) T1|r(x) "
                           "T1|rel(m) T1|ret(f)" OTHER));
    assert_false(is_careful("T1|call(f) T1|r(x) T1|r(x) T1|ret(f)" OTHER)); /* it races */
    /* Nobody else writes it. */
    assert_true(is_careful("T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T1|acq(m) T1|w(x) T1|rel(m) "
                           "T1|ret(f) T2|acq(m) T2|r(x) T2|rel(m)"));
}

#define ADDITION_OF(thread) thread "|acq(m) " thread "|r(x) " thread "|w(x) " thread "|rel(m) "
#define LOOK_OF(thread)     thread "|acq(m) " thread "|r(x) " thread "|rel(m) "

static void a_race_that_a_violation_passes_over_says_nothing_of_the_block(void **state)
{
    (void)state;
    assert_true(is_careful("T3|w(y) T1|call(f) " ADDITION_OF("T1") ADDITION_OF(
        "T2") "T2|r(y) " LOOK_OF("T2") LOOK_OF("T1") "T1|ret(f)"));
    /* It comes to T2 by the race. */
    assert_false(is_careful("T1|call(f) " ADDITION_OF("T1") "T1|w(y) T2|r(y) " ADDITION_OF("T2")
                                LOOK_OF("T1") "T1|ret(f)"));
}

/* What comes of it is a use of the memory. */
static void who_frees_overwrites_nothing(void **state)
{
    (void)state;
#define SECTIONS(end)                                                                              \
    "T1|call(f) T1|acq(m) T1|r(x) T1|rel(m) T2|acq(m) T2|w(x) T2|rel(m) T1|acq(m) T1|" end         \
    "(x) T1|rel(m) T1|ret(f)"
    assert_false(is_careful(SECTIONS("w")));
    assert_true(is_careful(SECTIONS("free")));
}

/* A lock made of the variable m: rmw takes it, w gives it back. */
#define TAKE      "T1|rmw(m) "
#define GIVE      "T1|w(m) "
#define OTHER_OWN " T2|rmw(m) T2|w(x) T2|w(m)"

static bool is_careful_if_atomic(const char *text)
{
    subject s = open_subject(text);
    ser_care care = {.run = s.run};
    ser_event_list accesses = {0};
    for (uint32_t i = 1; i <= s.run->count; i++) {
        bool is_access = ser_op_is_access((ser_op)s.run->events[i].op);
        s.run->events[i].flow |= is_access ? SER_FLOW_ATOMIC : 0;
        if (is_access && !ser_op_updates((ser_op)s.run->events[i].op))
            ser_vector_push(&accesses, i);
    }
    bool careful = ser_care_is_taken(&care, 0, accesses.items, accesses.count);
    ser_vector_free(&accesses);
    ser_care_fini(&care);
    close_subject(&s);
    return careful;
}

static void a_lock_of_the_program_protects_what_is_overwritten(void **state)
{
    (void)state;
    assert_true(
        is_careful_if_atomic("T1|call(f) " TAKE "T1|r(x) T1|w(x) " GIVE "T1|ret(f)" OTHER_OWN));
    assert_false(is_careful_if_atomic("T1|call(f) " TAKE "T1|r(x) " GIVE TAKE "T1|w(x) " GIVE
                                      "T1|ret(f)" OTHER_OWN));
    assert_false(is_careful_if_atomic("T1|call(f) T1|r(x) T1|w(x) T1|ret(f) T2|w(x)"));
}

/* f calls g twice, which looks at x, and adds to it in another section. By the events of T1 that
 * read x, and T2's write. */
static bool is_careful_by(const char *text, uint32_t first, uint32_t between, uint32_t last)
{
    subject s = open_subject(text);
    ser_care care = {.run = s.run};
    const uint32_t path[] = {first, between, last};
    for (uint32_t i = 1; i <= s.run->count; i++)
        if (ser_op_only_reads((ser_op)s.run->events[i].op))
            s.run->events[i].flow |=
                i == first || i == last ? SER_FLOW_DECIDES | SER_FLOW_HANDED : SER_FLOW_DATA;
    bool careful = ser_care_is_taken(&care, 0, path, 3);
    ser_care_fini(&care);
    close_subject(&s);
    return careful;
}

#define LOOK      "T1|call(g) T1|acq(m) T1|r(x) T1|rel(m) "
#define ADD       "T1|acq(m) T1|r(x) T1|w(x) T1|rel(m) "
#define END       "T1|ret(g) "
#define T2_WRITES "T2|acq(m) T2|w(x) T2|rel(m) "

static void what_is_done_again_begins_with_its_own_look(void **state)
{
    (void)state;
    /* Between two calls, from a look or from a write; within one. */
    assert_true(
        is_careful_by("T1|call(f) " LOOK ADD END T2_WRITES LOOK END "T1|ret(f)", 8, 12, 16));
    assert_true(
        is_careful_by("T1|call(f) " LOOK ADD END T2_WRITES LOOK END "T1|ret(f)", 4, 12, 16));
    assert_false(is_careful_by("T1|call(f) " LOOK T2_WRITES ADD END "T1|ret(f)", 4, 7, 11));
    /* g only looks, and f acts upon it. */
    assert_false(
        is_careful_by("T1|call(f) " LOOK END T2_WRITES LOOK END ADD "T1|ret(f)", 4, 8, 12));
}

/* g looks at x and returns, and h overwrites it: does g hand on what it saw? */
static bool is_careful_if(uint16_t flow)
{
    subject s = open_subject("T1|call(f) T1|call(g) T1|acq(m) T1|r(x) T1|rel(m) T1|ret(g) "
                             "T2|acq(m) T2|w(x) T2|rel(m) "
                             "T1|call(h) T1|acq(m) T1|w(x) T1|rel(m) T1|ret(h) T1|ret(f)");
    ser_care care = {.run = s.run};
    const uint32_t path[] = {4, 8, 12};
    s.run->events[4].flow |= flow;
    bool careful = ser_care_is_taken(&care, 0, path, 3);
    ser_care_fini(&care);
    close_subject(&s);
    return careful;
}

static void what_a_call_keeps_to_itself_is_not_acted_upon_later(void **state)
{
    (void)state;
    assert_true(is_careful_if(SER_FLOW_DECIDES));
    assert_true(is_careful_if(SER_FLOW_BLIND));
    assert_false(is_careful_if(SER_FLOW_DECIDES | SER_FLOW_HANDED));
    assert_false(is_careful_if(SER_FLOW_DATA)); /* nobody has looked at the code */
}

/* Each thread finds x out for itself, without a lock; then T2 changes y. */
static bool is_careful_with_values(uint64_t first, uint64_t second)
{
    subject s = open_subject("T1|call(f) T1|w(x) T2|w(x) T2|acq(m) T2|w(y) T2|rel(m) "
                             "T1|acq(m) T1|r(y) T1|rel(m) T1|ret(f)");
    ser_care care = {.run = s.run};
    const uint32_t path[] = {2, 3, 5, 8};
    s.run->events[2].value = first;
    s.run->events[3].value = second;
    for (uint32_t i = 2; i <= 3; i++)
        s.run->events[i].flags |= SER_EVENT_HAS_VALUE;
    bool careful = ser_care_is_taken(&care, 0, path, 4);
    ser_care_fini(&care);
    close_subject(&s);
    return careful;
}

static void who_writes_the_same_value_last_makes_no_difference(void **state)
{
    (void)state;
    assert_true(is_careful_with_values(1, 1));
    assert_false(is_careful_with_values(1, 2));
}

/* How stale is it, if reads only give what is stored later? With the values of all accesses. */
static ser_staleness staleness_of(const char *text, const uint64_t *values)
{
    subject s = open_subject(text);
    for (uint32_t i = 1; i <= s.run->count; i++) {
        ser_event *event = &s.run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        event->value = *values++;
        event->flags |= SER_EVENT_HAS_VALUE;
        event->flow |= ser_op_reads((ser_op)event->op) ? SER_FLOW_DATA : 0;
    }
    ser_staleness found = ser_find_staleness(s.run, 0, NULL);
    close_subject(&s);
    return found;
}

#define TAKES "T1|call(f) T1|acq(m) T1|r(next) T1|w(head) T1|rel(m) T1|acq(n) "
#define ENDS  " T1|rel(n) T1|ret(f) T2|acq(m) T2|w(next) T2|rel(m)"

static void what_was_read_right_before_is_not_made_of_older_looks(void **state)
{
    (void)state;
    /* An element is taken from one list and put into another one. */
    const uint64_t copied[] = {7, 7, 5, 5, 9}, changed[] = {7, 7, 5, 8, 9};
    assert_int_not_equal(staleness_of(TAKES "T1|r(free) T1|w(next)" ENDS, copied), SER_STALE);
    /* What was read in the first section is changed and stored in the second one. */
    assert_int_equal(staleness_of(TAKES "T1|r(free) T1|w(next)" ENDS, changed), SER_STALE);
    const uint64_t added[] = {7, 7, 8, 9}, between[] = {7, 7, 5, 6, 5, 9};
    assert_int_equal(staleness_of(TAKES "T1|w(next)" ENDS, added), SER_STALE);
    assert_int_equal(staleness_of(TAKES "T1|r(free) T1|w(free) T1|w(next)" ENDS, between),
                     SER_STALE);
}

static void blocks_that_somebody_names_are_not_guessed(void **state)
{
    (void)state;
    assert_true(ser_blocks_are_guessed(NULL));
    assert_true(ser_blocks_are_guessed("auto"));
    assert_false(ser_blocks_are_guessed("markers"));
    assert_false(ser_blocks_are_guessed("functions.spec"));
}

/* Does another thread than the second event's write its variable, while both may run? */
static bool do_others_write(const char *text)
{
    subject s = open_subject(text);
    ser_uses uses = {0};
    ser_uses_find(&uses, s.run);
    bool found = ser_uses_others_write(&uses, &s.run->events[2]);
    ser_vector_free(&uses);
    close_subject(&s);
    return found;
}

static void what_is_done_alone_meets_nobody(void **state)
{
    (void)state;
    assert_true(do_others_write("T0|fork(T1) T1|r(x) T0|w(x) T0|join(T1)"));
    assert_false(do_others_write("T0|fork(T1) T1|r(x) T0|join(T1) T0|free(x)"));
    assert_true(do_others_write("T0|fork(T1) T1|r(x) T0|free(x)"));
    /* All are joined, and others created later. */
    assert_false(do_others_write("T0|fork(T1) T1|r(x) T0|join(T1) T0|w(x) T0|fork(T2) T2|r(x)"));
    /* Another thread is never joined: it may still run. */
    assert_true(do_others_write("T0|fork(T1) T1|r(x) T2|r(y) T0|join(T1) T0|w(x)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races_are_accesses_without_order),
        cmocka_unit_test(a_lock_of_the_program_protects_what_is_overwritten),
        cmocka_unit_test(what_is_read_before_is_not_to_be_overwritten),
        cmocka_unit_test(a_race_that_a_violation_passes_over_says_nothing_of_the_block),
        cmocka_unit_test(who_frees_overwrites_nothing),
        cmocka_unit_test(what_is_done_alone_meets_nobody),
        cmocka_unit_test(what_is_done_again_begins_with_its_own_look),
        cmocka_unit_test(what_a_call_keeps_to_itself_is_not_acted_upon_later),
        cmocka_unit_test(who_writes_the_same_value_last_makes_no_difference),
        cmocka_unit_test(what_was_read_right_before_is_not_made_of_older_looks),
        cmocka_unit_test(blocks_that_somebody_names_are_not_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
