/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/dossier/dossier.h"
#include "unit/small_run.h"

typedef struct fixture {
    small_trace trace;
    ser_run *run;
    ser_dossier dossier;
} fixture;

/* Each event that accesses a variable has its number as value, unless values say otherwise. */
static fixture start(const char *text, const uint64_t *values)
{
    static const char result[] = "{\"verdict\": \"violation\", \"program\": {\"argv\": []}, "
                                 "\"violations\": [{\"id\": \"x\"}]}";
    fixture f = {.trace = small_trace_of(text)};
    ser_error error;
    ser_json_tree *tree;
    for (size_t i = 0; i < f.trace.count; i++) {
        ser_event *event = &f.trace.events[i];
        event->flags |= event->op == SER_OP_BEGIN ? SER_EVENT_OPENS : 0;
        event->flags |= event->op == SER_OP_END ? SER_EVENT_CLOSES : 0;
        event->flags |= ser_op_is_access((ser_op)event->op) ? SER_EVENT_HAS_VALUE : 0;
        event->value = values[i];
    }
    f.run = small_run_of(&f.trace);
    assert_int_equal(ser_json_tree_read(&tree, result, strlen(result), &error), SER_OK);
    assert_int_equal(ser_dossier_add(&f.dossier, tree, &error), SER_OK);
    return f;
}

static void end(fixture *f)
{
    ser_dossier_fini(&f->dossier);
    ser_run_destroy(f->run);
    small_trace_free(&f->trace);
}

static const ser_picture_step *draw(fixture *f, uint32_t block, const uint32_t *events,
                                    size_t count)
{
    ser_event_list order = {0};
    ser_error error;
    for (size_t i = 0; i < count; i++)
        ser_vector_push(&order, events[i]);
    const ser_dossier_witness witness = {.block = block, .order = &order};
    assert_int_equal(ser_dossier_draw(&f->dossier, 0, f->run, &witness, &error), SER_OK);
    ser_vector_free(&order);
    return f->dossier.entries.items[0].picture.steps.items;
}

static void reads_get_the_value_of_their_write(void **state)
{
    static const uint64_t values[] = {0, 1, 1, 0, 7};
    static const uint32_t order[] = {1, 5, 2, 3};
    (void)state;
    fixture f = start("A|begin A|r(x) A|r(x) A|end B|w(x)", values);
    const ser_picture_step *steps = draw(&f, 1, order, 4);
    assert_int_equal(steps[2].writer, 5);
    assert_int_equal(steps[2].value, 7);
    assert_int_equal(steps[2].was, 1);
    assert_int_equal(steps[2].flags, SER_STEP_HAS_VALUE | SER_STEP_HAD_VALUE | SER_STEP_CHANGED |
                                         SER_STEP_IN_BLOCK);
    assert_int_equal(steps[1].flags, SER_STEP_HAS_VALUE);
    end(&f);
}

/* The initial value is what was read before the first write. */
static void reads_get_the_initial_value_again(void **state)
{
    static const uint64_t values[] = {0, 3, 0, 8, 8};
    static const uint32_t order[] = {1, 5};
    (void)state;
    fixture f = start("A|begin A|r(x) A|end B|w(x) C|r(x)", values);
    const ser_picture_step *steps = draw(&f, 1, order, 2);
    assert_int_equal(steps[1].writer, 0);
    assert_int_equal(steps[1].value, 3);
    assert_int_equal(steps[1].was, 8);
    end(&f);
}

/* What a thread writes after it has read something else is not known, nor is what reads that. */
static void values_after_a_changed_read_are_not_told(void **state)
{
    static const uint64_t values[] = {0, 1, 2, 0, 7, 2};
    static const uint32_t order[] = {1, 5, 2, 3, 6};
    (void)state;
    fixture f = start("A|begin A|r(x) A|w(y) A|end B|w(x) C|r(y)", values);
    const ser_picture_step *steps = draw(&f, 1, order, 5);
    assert_true(steps[2].flags & SER_STEP_CHANGED);
    assert_false(steps[3].flags & SER_STEP_HAS_VALUE);
    assert_int_equal(steps[4].writer, 3);
    assert_false(steps[4].flags & (SER_STEP_HAS_VALUE | SER_STEP_CHANGED));
    end(&f);
}

/* An equal value changes nothing for the thread. */
static void values_after_an_equal_read_are_told(void **state)
{
    static const uint64_t values[] = {0, 1, 2, 0, 1};
    static const uint32_t order[] = {1, 5, 2, 3};
    (void)state;
    fixture f = start("A|begin A|r(x) A|w(y) A|end B|w(x)", values);
    const ser_picture_step *steps = draw(&f, 1, order, 4);
    assert_true(steps[2].flags & SER_STEP_CHANGED);
    assert_true(steps[3].flags & SER_STEP_HAS_VALUE);
    assert_int_equal(steps[3].value, 2);
    end(&f);
}

/* A read that had another value than its write: a thread that is not in the trace wrote. */
static void nothing_is_certain_where_writes_are_missing(void **state)
{
    static const uint64_t values[] = {0, 1, 0, 7, 9};
    static const uint32_t order[] = {1, 4, 2, 5};
    (void)state;
    fixture f = start("A|begin A|r(x) A|end B|w(x) C|r(x)", values);
    const ser_picture_step *steps = draw(&f, 1, order, 4);
    assert_true(steps[2].flags & SER_STEP_CHANGED);
    assert_false(steps[2].flags & SER_STEP_HAS_VALUE);
    assert_int_equal(steps[3].value, 9);
    end(&f);
}

static void refuses_what_is_not_of_the_run(void **state)
{
    static const uint64_t values[] = {0, 1, 0};
    static const uint32_t wrong[] = {1, 4}, zero[] = {0};
    ser_event_list order = {.items = (uint32_t *)wrong, .count = 2};
    ser_error error;
    (void)state;
    fixture f = start("A|begin A|r(x) A|end", values);
    ser_dossier_witness witness = {.block = 1, .order = &order};
    assert_int_equal(ser_dossier_draw(&f.dossier, 0, f.run, &witness, &error), SER_INPUT);
    order = (ser_event_list){.items = (uint32_t *)zero, .count = 1};
    assert_int_equal(ser_dossier_draw(&f.dossier, 0, f.run, &witness, &error), SER_INPUT);
    order.count = 0;
    witness.block = 4;
    assert_int_equal(ser_dossier_draw(&f.dossier, 0, f.run, &witness, &error), SER_INPUT);
    end(&f);
}

static void expect_shown(uint64_t value, const char *wanted)
{
    char *text = ser_describe_value(value);
    assert_string_equal(text, wanted);
    free(text);
}

static void values_are_shown_as_programmers_like_them(void **state)
{
    (void)state;
    expect_shown(0, "0");
    expect_shown(130, "130");
    expect_shown((uint64_t)-30, "-30");
    expect_shown((uint32_t)-30, "-30");
    expect_shown(UINT32_C(3000000000), "3000000000");
    expect_shown(UINT64_C(0x7fffffffe678), "0x7fffffffe678");
    expect_shown(UINT64_C(0x403e000000000000), "30");
    expect_shown(UINT64_C(0xbfb999999999999a), "-0.1");
    expect_shown(UINT64_C(0x3fd3a5c1e97b2d46), "0x3fd3a5c1e97b2d46"); /* a hash, say */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_get_the_value_of_their_write),
        cmocka_unit_test(reads_get_the_initial_value_again),
        cmocka_unit_test(values_after_a_changed_read_are_not_told),
        cmocka_unit_test(values_after_an_equal_read_are_told),
        cmocka_unit_test(nothing_is_certain_where_writes_are_missing),
        cmocka_unit_test(refuses_what_is_not_of_the_run),
        cmocka_unit_test(values_are_shown_as_programmers_like_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
