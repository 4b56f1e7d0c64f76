/* SPDX-License-Identifier: MIT */
/* Reads that may change: what must happen before what, and witnesses with few changed reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "order/order.h"
#include "unit/small_run.h"
#include "witness/minimise.h"

typedef struct fixture {
    small_trace trace;
    ser_run *run;
    ser_reads reads;
} fixture;

static fixture load(const char *text)
{
    fixture f = {.trace = small_trace_of(text)};
    f.run = small_run_of(&f.trace);
    ser_reads_init(&f.reads, (uint32_t)f.trace.count);
    return f;
}

static void unload(fixture *f)
{
    ser_run_destroy(f->run);
    ser_reads_fini(&f->reads);
    small_trace_free(&f->trace);
}

/* Of "T1|w(x) T2|r(x) T2|w(y) T2|w(z) T3|join(T2)": the events that must come after the write. */
static void expect_after(uint32_t limit, bool accepts, const char *expected)
{
    fixture f = load("T1|w(x) T2|r(x) T2|w(y) T2|w(z) T3|join(T2)");
    const uint32_t initial = 0;
    f.run->reads = &f.reads;
    f.reads.rules.items[2].limit = limit;
    if (accepts)
        f.reads.rules.items[2].accepts = ser_reads_add_set(&f.reads, &initial, 1);
    ser_order *order = ser_order_create(f.run, NULL);
    char after[8] = "";
    for (uint32_t event = 2; event <= 5; event++)
        if (ser_order_before(order, 1, event))
            strcat(after, (char[]){(char)('0' + event), 0});
    assert_string_equal(after, expected);
    ser_order_destroy(order);
    unload(&f);
}

static void test_order(void **state)
{
    (void)state;
    expect_after(SER_LIMIT_NEXT, false, "2345");
    expect_after(3, false, "345");
    expect_after(4, false, "45");
    expect_after(SER_LIMIT_END, false, "5");
    expect_after(SER_LIMIT_NONE, false, "");
    expect_after(SER_LIMIT_NEXT, true, "");
    expect_after(4, true, "");
}

/* A read that is after an event because of a limit cannot come early. */
static void test_only_by_couple(void **state)
{
    (void)state;
    fixture f = load("T1|w(x) T1|w(y) T2|r(x) T2|r(y)");
    f.run->reads = &f.reads;
    ser_order *order = ser_order_create(f.run, NULL);
    assert_true(ser_order_only_by_couple(order, 1, 3));
    assert_false(ser_order_only_by_couple(order, 1, 4));
    assert_true(ser_order_only_by_couple(order, 2, 4));
    ser_order_destroy(order);
    f.reads.rules.items[3].limit = 4;
    order = ser_order_create(f.run, NULL);
    assert_false(ser_order_before(order, 1, 3));
    assert_false(ser_order_only_by_couple(order, 1, 4));
    assert_true(ser_order_only_by_couple(order, 2, 4));
    ser_order_destroy(order);
    unload(&f);
}

/* The read is after the event, and in one way only: so it is only by its couple, or not at all. */
static void expect_only_by_couple(const char *text, uint32_t event, uint32_t read, bool expected)
{
    fixture f = load(text);
    ser_order *order = ser_order_create(f.run, NULL);
    assert_true(ser_order_before(order, event, read));
    assert_int_equal(ser_order_only_by_couple(order, event, read), expected);
    ser_order_destroy(order);
    unload(&f);
}

/* What else can put a thread's next step after an event: its fork, its wake-up, what it did before,
 * or that it is ordered last; and each of them by what the event itself is, or by what comes after
 * it. */
static void test_only_by_couple_or_not(void **state)
{
    (void)state;
    expect_only_by_couple("T1|w(x) T2|r(x)", 1, 2, true);
    expect_only_by_couple("T1|w(x) T2|w(y) T2|r(x)", 1, 3, true);
    expect_only_by_couple("T1|w(x) T1|fork(T2) T2|r(x)", 1, 3, false);
    expect_only_by_couple("T1|w(x) T1|fork(T2) T2|r(x)", 2, 3, false);
    expect_only_by_couple("T1|fork(T2) T1|w(x) T2|r(x)", 2, 3, true);
    expect_only_by_couple("T2|wait(c) T1|w(x) T1|notify(c) T2|r(x)", 2, 4, false);
    expect_only_by_couple("T2|wait(c) T1|w(x) T1|notify(c) T2|r(x)", 3, 4, false);
    expect_only_by_couple("T2|wait(c) T1|notify(c) T1|w(x) T2|r(x)", 3, 4, true);
    expect_only_by_couple("T2|wait(c) T1|w(x) T2|r(x)", 2, 3, true);
    expect_only_by_couple("T1|w(x) T1|w(y) T2|r(y) T2|r(x)", 1, 4, false);
    expect_only_by_couple("T1|w(x) T1|post(s) T2|take(s) T2|r(x)", 1, 4, false);
    expect_only_by_couple("T1|w(x) T2|r(x)!", 1, 2, false);
    expect_only_by_couple("T1|w(x) T2|r(z)+ T2|r(x)", 1, 3, true);
    expect_only_by_couple("T1|w(x) T1|w(y) T2|r(y) T2|r(z)+ T2|r(x)", 1, 5, false);
    expect_only_by_couple("T1|w(x) T2|join(T1)", 1, 2, false);
}

/* T2's read was changed by T3's write, which nothing else needs. */
static void test_minimise(void **state)
{
    (void)state;
    for (int spares_changes = 0; spares_changes < 2; spares_changes++) {
        fixture f = load("T2|r(x) T3|w(x) T1|begin T1|r(y) T1|r(y) T1|end T2|w(y)");
        const uint32_t found[] = {2, 1, 3, 4, 7, 5}, path[] = {4, 7, 5};
        f.reads.rules.items[1].limit = SER_LIMIT_NONE;
        f.run->reads = &f.reads;
        ser_event_list order = {0};
        for (size_t i = 0; i < sizeof found / sizeof *found; i++)
            ser_vector_push(&order, found[i]);
        ser_witness_minimise(f.run, &order, path, 3, spares_changes);
        assert_int_equal(order.count, spares_changes ? 5 : 6);
        for (size_t i = 0; i < order.count && spares_changes; i++)
            assert_int_not_equal(order.items[i], 2);
        ser_vector_free(&order);
        unload(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_only_by_couple),
        cmocka_unit_test(test_only_by_couple_or_not),
        cmocka_unit_test(test_minimise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
