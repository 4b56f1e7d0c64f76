/* SPDX-License-Identifier: MIT */
/* The judge of replays: which blocks does a run itself violate? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "replay/violated.h"
#include "unit/marked_trace.h"
#include "unit/small_run.h"

typedef struct subject {
    small_trace trace;
    ser_run *run;
} subject;

static const ser_violation_filter all;

static subject open_subject(const char *text)
{
    subject s = {.trace = marked_trace_of(text)};
    s.run = small_run_of(&s.trace);
    return s;
}

/* Each event at a place that is named after its operation and operand, and blocks of another kind.
 */
static subject open_with_places(const char *text, const char *atomic)
{
    subject s = {.trace = small_trace_of(text)};
    for (size_t i = 0; i < s.trace.count; i++) {
        char place[32];
        ser_event *event = &s.trace.events[i];
        int length = snprintf(place, sizeof place, "%s of %u", ser_op_name((ser_op)event->op),
                              event->object);
        event->site = ser_symbols_add_site(s.trace.symbols, place, (size_t)length, SER_NO_OBJECT);
    }
    mark_small_trace(&s.trace, atomic);
    s.run = small_run_of(&s.trace);
    return s;
}

static void close_subject(subject *s)
{
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

/* The first event of the first violated block; 0: none is. */
static uint32_t first_violated(const char *text)
{
    subject s = open_subject(text);
    ser_block_list blocks = {0};
    ser_witness_facts facts;
    uint32_t begin;
    for (uint32_t i = 0; i < s.run->blocks.count; i++)
        ser_vector_push(&blocks, i);
    if (!ser_find_violated(s.run, &blocks, &all, &begin, &facts))
        begin = 0;
    assert_int_equal(facts.path.count > 2, begin != 0);
    ser_witness_facts_fini(&facts);
    ser_vector_free(&blocks);
    close_subject(&s);
    return begin;
}

static void violated_blocks_are_found(void **state)
{
    (void)state;
    assert_int_equal(first_violated("T1|begin T1|r(x) T2|w(x) T1|w(x) T1|end"), 1);
    assert_int_equal(first_violated("T2|w(x) T1|begin T1|r(x) T1|w(x) T1|end T2|w(x)"), 0);
    assert_int_equal(first_violated("T1|begin T1|r(x) T2|r(x) T1|w(x) T1|end"), 0);
    /* Through a third thread, and another variable. */
    assert_int_equal(
        first_violated("T1|begin T1|w(x) T2|r(x) T2|w(y) T3|r(y) T3|w(z) T1|r(z) T1|end"), 1);
    /* A block that is still open: the program crashed within it. */
    assert_int_equal(first_violated("T2|begin T2|end T1|begin T1|r(x) T2|w(x) T1|r(x)"), 3);
    /* One step of several accesses: what it reads is reached by what it writes. */
    assert_int_equal(first_violated("T1|begin T1|w(x) T1|w(y) T2|w(z)+ T2|w(x) T1|r(z) T1|end"), 1);
}

/* A thread function that goes on in a loop is no block, unless it was one in the recorded run. */
static void a_guess_about_the_replay_does_not_count(void **state)
{
    (void)state;
    subject recorded = open_with_places("T2|call(g) T2|w(x) T2|w(y) T2|ret(g) "
                                        "T1|call(f) T1|r(x) T1|r(y) T1|ret(f) T2|w(x) T2|w(y)",
                                        "functions");
    subject replay = open_with_places("T2|call(g) T2|w(x) T1|call(f) T1|r(x) T2|w(x) T2|w(y) "
                                      "T1|r(y) T1|r(x) T1|r(y) T1|ret(f) T2|w(x) T2|w(y) T2|ret(g)",
                                      "functions");
    uint32_t first = ser_run_at(recorded.run, recorded.run->events[5].thread, 1), begin;
    ser_block_list blocks = {0};
    ser_witness_facts facts;
    assert_true(recorded.run->block_of[first]);
    ser_blocks_of_code(replay.run, recorded.run, first, &blocks);
    assert_int_equal(blocks.count, 0);
    assert_true(ser_mark_code(replay.run, recorded.run, first));
    ser_blocks_of_code(replay.run, recorded.run, first, &blocks);
    assert_int_equal(blocks.count, 1);
    assert_int_equal(replay.run->blocks.items[blocks.items[0]].end, 10);
    assert_true(ser_find_violated(replay.run, &blocks, &all, &begin, &facts));
    assert_int_equal(begin, 3);
    ser_witness_facts_fini(&facts);
    ser_vector_free(&blocks);
    close_subject(&recorded);
    close_subject(&replay);
}

/* --- the scan finds what the checker finds ---------------------------------- */

static unsigned random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % below;
}

/* Threads with blocks, accesses and steps of two accesses. */
static void write_random_trace(char *text, size_t size)
{
    bool open[3] = {false};
    size_t used = 0;
    for (unsigned i = 0; i < 24 && used + 64 < size; i++) {
        unsigned thread = draw(3), kind = draw(8);
        if (kind == 0) {
            used += (size_t)snprintf(text + used, size - used, "T%u|%s ", thread,
                                     open[thread] ? "end" : "begin");
            open[thread] = !open[thread];
            continue;
        }
        const char *op = kind < 4 ? "r" : "w";
        unsigned variable = draw(3);
        if (kind == 7)
            used += (size_t)snprintf(text + used, size - used, "T%u|%s(v%u)+ ", thread, op,
                                     (variable + 1) % 3);
        used += (size_t)snprintf(text + used, size - used, "T%u|%s(v%u) ", thread, op, variable);
    }
}

/* What the checker says of the order as it was recorded. */
static bool is_violated(const ser_run *run, uint32_t begin)
{
    ser_checker *checker = ser_checker_create(run->events, run->count, NULL);
    ser_event_list order = {0};
    ser_witness_facts facts;
    ser_error error;
    for (uint32_t i = 1; i <= run->count; i++)
        ser_vector_push(&order, i);
    bool violated = ser_checker_check(checker, begin, false, order.items, order.count, &facts,
                                      &error) == SER_OK;
    ser_witness_facts_fini(&facts);
    ser_vector_free(&order);
    ser_checker_destroy(checker);
    return violated;
}

static unsigned compare(const char *text)
{
    subject s = open_subject(text);
    unsigned violated = 0;
    for (uint32_t i = 0; i < s.run->blocks.count; i++) {
        ser_block_list one = {0};
        ser_witness_facts facts;
        uint32_t begin = s.run->blocks.items[i].begin, found;
        ser_vector_push(&one, i);
        bool expected = is_violated(s.run, begin);
        if (ser_find_violated(s.run, &one, &all, &found, &facts) != expected)
            fail_msg("block of event %u of %s: expected %d", begin, text, expected);
        violated += expected;
        ser_witness_facts_fini(&facts);
        ser_vector_free(&one);
    }
    close_subject(&s);
    return violated;
}

static void the_scan_misses_nothing(void **state)
{
    (void)state;
    unsigned violated = 0;
    for (unsigned seed = 1; seed <= 2000; seed++) {
        char text[2048] = "";
        random_state = seed;
        write_random_trace(text, sizeof text);
        violated += compare(text);
    }
    assert_true(violated > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violated_blocks_are_found),
        cmocka_unit_test(a_guess_about_the_replay_does_not_count),
        cmocka_unit_test(the_scan_misses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
