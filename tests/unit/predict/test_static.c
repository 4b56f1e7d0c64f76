/* SPDX-License-Identifier: MIT */
/* Proofs that need no search: what is known of the whole run, and of all its blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>
#include <stdio.h>

#include "predict/segment/extent.h"
#include "predict/segment/tas.h"
#include "predict/static/static_check.h"
#include "predict/static/two_phase.h"
#include "unit/small_run.h"

typedef struct fixture {
    small_trace trace;
    ser_run *run;
    ser_order *order;
    ser_index *index;
    ser_outer outer;
    ser_lock_guards *guards;
    ser_two_phase *two_phase;
} fixture;

/* Marks what begin and end enclose; the traces here do not nest. */
static void mark_blocks(small_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->events[i].op == SER_OP_BEGIN)
            trace->events[i].flags |= SER_EVENT_OPENS;
        if (trace->events[i].op == SER_OP_END)
            trace->events[i].flags |= SER_EVENT_CLOSES;
    }
}

static fixture start(const char *text)
{
    fixture f = {.trace = small_trace_of(text)};
    mark_blocks(&f.trace);
    f.run = small_run_of(&f.trace);
    f.order = ser_order_create(f.run, NULL);
    f.index = ser_index_create(f.run);
    f.outer = ser_outer_of(f.order);
    f.guards = ser_guards_create(f.run, &f.outer, NULL);
    const ser_discipline_facts facts = {
        .run = f.run, .outer = &f.outer, .guards = f.guards, .order = f.order, .index = f.index};
    f.two_phase = ser_two_phase_create(&facts);
    return f;
}

static void end(fixture *f)
{
    ser_two_phase_destroy(f->two_phase);
    ser_guards_destroy(f->guards);
    ser_outer_fini(&f->outer);
    ser_index_destroy(f->index);
    ser_order_destroy(f->order);
    ser_run_destroy(f->run);
    small_trace_free(&f->trace);
}

/* The proof for the first block, and that the check between frontiers agrees. */
static ser_static_proof prove(const char *text)
{
    fixture f = start(text);
    ser_static_proof proof = ser_static_check_run(f.order->run, f.order, f.guards, 0, NULL);
    ser_segment *frontiers = ser_tas_frontiers(f.order, 0, NULL);
    ser_static_proof again = ser_static_check(f.order, f.index, 0, frontiers, NULL);
    assert_true(proof == SER_STATIC_OPEN || again != SER_STATIC_OPEN);
    ser_segment_destroy(frontiers);
    end(&f);
    return proof;
}

static bool is_two_phase(const char *text)
{
    fixture f = start(text);
    bool proven = ser_two_phase_proves(f.two_phase, 0);
    end(&f);
    return proven;
}

#define LOCKED(thread, steps) thread "|acq(l) " steps " " thread "|rel(l) "
#define BLOCK(thread, steps)  thread "|begin " steps " " thread "|end "
#define XY(thread)            thread "|r(x) " thread "|w(x) " thread "|r(y) " thread "|w(y)"

static void test_uses_of_variables(void **state)
{
    (void)state;
    assert_int_equal(prove(BLOCK("T1", XY("T1")) "T2|w(z)"), SER_STATIC_NO_CONFLICTS);
    assert_int_equal(prove(BLOCK("T1", "T1|r(x) T1|r(x)") "T2|r(x)"), SER_STATIC_NO_CONFLICTS);
    assert_int_equal(prove(BLOCK("T1", "T1|r(x) T1|r(x)") "T1|w(x) T2|r(x)"),
                     SER_STATIC_NO_CONFLICTS);
    assert_int_equal(prove(BLOCK("T1", "T1|r(x) T1|r(x)") "T2|w(x)"), SER_STATIC_OPEN);
    assert_int_equal(prove(BLOCK("T1", "T1|w(x) T1|w(x)") "T2|r(x)"), SER_STATIC_OPEN);
    assert_int_equal(prove(BLOCK("T1", "T1|r(x) T1|r(y)") "T2|w(x)"), SER_STATIC_NO_CONFLICTS);
}

static void test_guards(void **state)
{
    (void)state;
    assert_int_equal(prove(BLOCK("T1", LOCKED("T1", XY("T1"))) LOCKED("T2", XY("T2"))),
                     SER_STATIC_LOCKED);
    assert_int_equal(
        prove("T2|r(x) T2|r(y) " BLOCK("T1", LOCKED("T1", XY("T1"))) LOCKED("T2", XY("T2"))),
        SER_STATIC_OPEN);
    /* Own data before and after the lock is held. */
    assert_int_equal(
        prove(BLOCK("T1", "T1|w(a) " LOCKED("T1", XY("T1")) "T1|r(a)") LOCKED("T2", XY("T2"))),
        SER_STATIC_LOCKED);
    assert_int_equal(
        prove(BLOCK("T1", LOCKED("T1", "T1|w(x)") LOCKED("T1", "T1|w(x)")) LOCKED("T2", XY("T2"))),
        SER_STATIC_OPEN);
    /* A write without the lock, of which only a fork or a join says when it happens. */
    assert_int_equal(prove("T0|w(x) T0|fork(T1) T0|fork(T2) " BLOCK("T1", LOCKED("T1", XY("T1")))
                               LOCKED("T2", XY("T2")) "T0|join(T1) T0|join(T2) T0|r(x) T0|w(x)"),
                     SER_STATIC_LOCKED);
    assert_int_equal(prove("T0|fork(T1) T0|fork(T2) " BLOCK("T1", LOCKED("T1", XY("T1")))
                               LOCKED("T2", XY("T2")) "T0|w(x)"),
                     SER_STATIC_OPEN);
    /* Between the two forks: known to the second thread only. */
    assert_int_equal(prove("T0|fork(T2) T0|w(x) T0|fork(T1) " BLOCK("T1", LOCKED("T1", XY("T1")))
                               LOCKED("T2", XY("T2"))),
                     SER_STATIC_LOCKED);
}

#define READING(thread, steps) thread "|racq(l) " steps " " thread "|rrel(l) "

static void test_reader_sides(void **state)
{
    (void)state;
    const char *reads = BLOCK("T1", READING("T1", "T1|r(x) T1|r(x)")) LOCKED("T2", XY("T2"))
        READING("T3", "T3|r(x)");
    assert_int_equal(prove(reads), SER_STATIC_LOCKED);
    assert_int_equal(prove(BLOCK("T1", READING("T1", "T1|r(x) T1|r(x)")) READING("T2", "T2|w(x)")
                               LOCKED("T2", XY("T2"))),
                     SER_STATIC_OPEN);
    assert_true(is_two_phase(reads));
    assert_false(
        is_two_phase(BLOCK("T1", READING("T1", "T1|r(x) T1|w(x)")) LOCKED("T2", XY("T2"))));
}

static void test_two_phases(void **state)
{
    (void)state;
    const char *both = "T1|acq(l) T1|w(x) T1|acq(m) T1|w(y) T1|rel(l) T1|w(y) T1|rel(m)";
    char text[1000];
    const char *other = "T2|begin T2|acq(m) T2|acq(l) T2|r(y) T2|rel(m) T2|w(x) T2|rel(l) T2|end "
                        "T2|acq(m) T2|w(y) T2|rel(m) T2|acq(l) T2|w(x) T2|rel(l)";
    snprintf(text, sizeof text, "T1|begin %s T1|end %s", both, other);
    assert_true(is_two_phase(text));
    /* One lock is given up before the other is taken. */
    snprintf(text, sizeof text, "T1|begin %s T1|acq(l) T1|w(x) T1|rel(l) T1|end %s", both, other);
    assert_false(is_two_phase(text));
    /* A block that is not two-phase spoils it for those that share variables with it ... */
    const char *wrong = "T3|begin T3|acq(n) T3|w(z) T3|rel(n) T3|acq(n) T3|w(z) T3|rel(n) T3|end "
                        "T4|acq(n) T4|r(z) T4|rel(n)";
    snprintf(text, sizeof text, "T1|begin %s T1|end %s %s T4|w(q)", both, other, wrong);
    assert_true(is_two_phase(text));
    snprintf(text, sizeof text, "T1|begin %s T1|end %s %s T4|acq(m) T4|w(y) T4|rel(m)", both, other,
             wrong);
    assert_false(is_two_phase(text));
}

/* One access without a lock, while all locks are held that guard other variables. */
static void test_bare_accesses(void **state)
{
    (void)state;
    const char *other = LOCKED("T2", "T2|w(x)") "T2|w(u)";
    char text[1000];
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|w(x) T1|w(u) T1|r(x)")) "%s", other);
    assert_true(is_two_phase(text));
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|w(x) T1|w(u) T1|w(u)")) "%s", other);
    assert_false(is_two_phase(text));
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|w(x)") "T1|w(u)") "%s", other);
    assert_false(is_two_phase(text));
    /* Reads without the lock meet the writes under it alone. */
    const char *reads = LOCKED("T2", "T2|r(x) T2|w(x)") LOCKED("T2", "T2|r(x) T2|w(x)") "T2|r(x)";
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|r(x) T1|w(x)")) "%s", reads);
    assert_true(is_two_phase(text));
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|r(x) T1|w(x)")) "%s T2|w(x)", reads);
    assert_false(is_two_phase(text));
    snprintf(text, sizeof text, BLOCK("T1", LOCKED("T1", "T1|w(x) T1|w(x)")) "%s", reads);
    assert_false(is_two_phase(text));
}

/* What must happen before or after a block is not in its way. */
static void test_order_of_transactions(void **state)
{
    (void)state;
    const char *block = "T0|fork(T1) " LOCKED("T0", "T0|w(x)") BLOCK("T1", LOCKED("T1", XY("T1")));
    const char *loose =
        "T0|fork(T2) " BLOCK("T2", "T2|w(z) T2|w(z)") "T0|w(z) " LOCKED("T2", "T2|w(x)");
    char text[1000];
    snprintf(text, sizeof text, "%sT0|join(T1) %s", block, loose);
    assert_true(is_two_phase(text));
    snprintf(text, sizeof text, "%s%s", block, loose);
    assert_false(is_two_phase(text));
    /* Data that is handed on by a fork, while others run. */
    const char *reads = BLOCK("T2", "T2|r(a) T2|r(a)");
    snprintf(text, sizeof text, "T0|fork(T1) T0|w(a) T0|fork(T2) %s T1|w(b) T0|w(b)", reads);
    assert_true(is_two_phase(text));
    snprintf(text, sizeof text, "T0|fork(T1) T0|fork(T2) T0|w(a) %s T1|w(b) T0|w(b)", reads);
    assert_false(is_two_phase(text));
}

static void test_outer_transactions(void **state)
{
    (void)state;
    const char *rest = LOCKED("T1", XY("T1")) LOCKED("T2", XY("T2"));
    char text[1000];
    snprintf(text, sizeof text, "T0|begin T0|w(x) T0|w(y) T0|end T0|fork(T1) T0|fork(T2) %s", rest);
    assert_true(is_two_phase(text));
    /* The block goes on when the threads run. */
    snprintf(text, sizeof text, "T0|begin T0|w(x) T0|fork(T1) T0|fork(T2) T0|w(y) %s T0|end", rest);
    assert_false(is_two_phase(text));
    /* A thread without a fork may read before the write that it saw, broken. */
    assert_false(is_two_phase("T0|begin T0|w(x) T0|w(x) T0|end T1|r(x)"));
}

static void test_extents(void **state)
{
    (void)state;
    fixture f = start("T3|r(x) T2|w(x) " BLOCK(
        "T1", "T1|r(x) T1|w(z) T1|w(y)") "T3|r(y) T3|w(y) "
                                         "T1|fork(T4) T4|r(z) T4|begin T4|end");
    uint64_t *extents = ser_extent_of_blocks(f.order, NULL);
    ser_segment *frontiers = ser_tas_frontiers(f.order, 0, NULL);
    assert_int_equal(extents[0], ser_segment_size(frontiers));
    /* The block from its first access to its last, and two reads of T3: one of them may
     * happen early, broken. */
    assert_int_equal(extents[0], 3 + 2);
    assert_int_equal(extents[1], 0);
    ser_segment_destroy(frontiers);
    free(extents);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses_of_variables),  cmocka_unit_test(test_guards),
        cmocka_unit_test(test_reader_sides),       cmocka_unit_test(test_two_phases),
        cmocka_unit_test(test_bare_accesses),      cmocka_unit_test(test_order_of_transactions),
        cmocka_unit_test(test_outer_transactions), cmocka_unit_test(test_extents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
