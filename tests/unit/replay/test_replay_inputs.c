/* SPDX-License-Identifier: MIT */
/* What goes with a native trace besides events, and answers of the system in it, which a replay
 * gives back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "replay/inputs.h"
#include "trace/native/native_aside.h"
#include "trace/native/native_format.h"
#include "trace/writer.h"
#include "unit/small_run.h"

enum { OTHER_KIND = SER_NATIVE_MAY_SKIP + 5 };

static char path[] = "/tmp/seriatim-test-XXXXXX";

/* Two blocks of inputs around events and a block of another kind. */
static void write_trace(ser_writer_format format, const ser_record *inputs, size_t count)
{
    const ser_event event = {.op = SER_OP_BEGIN, .object = SER_NO_OBJECT, .site = SER_NO_SITE};
    const size_t half = count / 2;
    ser_error error;
    ser_writer *writer;
    ser_symbols *symbols = ser_symbols_create();
    ser_symbols_add(symbols, SER_SPACE_THREAD, "T0", 2);
    assert_int_equal(ser_writer_open(&writer, path, format, symbols, &error), SER_OK);
    ser_writer_put_aside(writer, SER_NATIVE_INPUTS, inputs, half * sizeof *inputs, &error);
    ser_writer_put(writer, &event, 1, &error);
    ser_writer_put_aside(writer, OTHER_KIND, "other", 5, &error);
    ser_writer_put_aside(writer, SER_NATIVE_INPUTS, inputs + half, (count - half) * sizeof *inputs,
                         &error);
    assert_int_equal(ser_writer_finish(writer, &error), SER_OK);
    ser_writer_close(writer);
    ser_symbols_destroy(symbols);
}

static const ser_record samples[] = {
    {.thread = 2, .op = SER_RAW_INPUT, .value = 20}, {.thread = 0, .op = SER_RAW_INPUT, .value = 1},
    {.thread = 2, .op = SER_RAW_INPUT, .value = 21}, {.thread = 1, .op = SER_RAW_INPUT, .value = 9},
    {.thread = 0, .op = SER_RAW_INPUT, .value = 2},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void test_aside(void **state)
{
    (void)state;
    ser_byte_list bytes = {0};
    ser_error error;
    write_trace(SER_WRITE_NATIVE, samples, SAMPLES);
    assert_int_equal(ser_native_read_aside(path, OTHER_KIND, &bytes, &error), SER_OK);
    assert_int_equal(bytes.count, 5);
    assert_memory_equal(bytes.items, "other", 5);
    bytes.count = 0;
    assert_int_equal(ser_native_read_aside(path, SER_NATIVE_INPUTS, &bytes, &error), SER_OK);
    assert_int_equal(bytes.count, sizeof samples);
    assert_memory_equal(bytes.items, samples, sizeof samples);
    bytes.count = 0;
    assert_int_equal(ser_native_read_aside(path, OTHER_KIND + 1, &bytes, &error), SER_OK);
    assert_int_equal(bytes.count, 0);
    ser_vector_free(&bytes);
}

/* A file that is cut has what it has. */
static void test_aside_of_cut_file(void **state)
{
    (void)state;
    ser_byte_list bytes = {0};
    ser_error error;
    write_trace(SER_WRITE_NATIVE, samples, SAMPLES);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    for (size_t most = sizeof samples; size >= 0; size--, most = bytes.count) {
        bytes.count = 0;
        assert_int_equal(truncate(path, size), 0);
        assert_int_equal(ser_native_read_aside(path, SER_NATIVE_INPUTS, &bytes, &error), SER_OK);
        assert_true(bytes.count <= most);
        if (bytes.count > 0)
            assert_memory_equal(bytes.items, samples, bytes.count);
    }
    assert_int_equal(bytes.count, 0);
    ser_vector_free(&bytes);
}

static void test_missing_file(void **state)
{
    (void)state;
    ser_byte_list bytes = {0};
    ser_error error;
    assert_int_equal(ser_native_read_aside("/nonexistent", OTHER_KIND, &bytes, &error), SER_INPUT);
    assert_int_equal(bytes.count, 0);
}

/* By thread, and in the order of each. */
static void test_inputs(void **state)
{
    (void)state;
    static const uint64_t wanted[SAMPLES] = {1, 2, 9, 20, 21};
    ser_input_list inputs = {0};
    ser_error error;
    write_trace(SER_WRITE_NATIVE, samples, SAMPLES);
    assert_int_equal(ser_inputs_load(&inputs, path, &error), SER_OK);
    assert_int_equal(inputs.count, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        assert_int_equal(inputs.items[i].value, wanted[i]);
    ser_vector_free(&inputs);
}

static void expect_no_inputs(void)
{
    ser_input_list inputs = {0};
    ser_error error;
    assert_int_equal(ser_inputs_load(&inputs, path, &error), SER_OK);
    assert_int_equal(inputs.count, 0);
    ser_vector_free(&inputs);
}

static void test_no_inputs(void **state)
{
    (void)state;
    write_trace(SER_WRITE_TEXT, samples, SAMPLES);
    expect_no_inputs();
    write_trace(SER_WRITE_NATIVE, samples, 0);
    expect_no_inputs();
}

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

/* T1 creates its thread before T0 creates its second one, so that it is the program's second. */
static void test_threads_by_creation(void **state)
{
    (void)state;
    small_trace trace = small_trace_of("T0|fork(T1) T0|fork(T2) T1|fork(T3) T3|w(x) T2|r(x)");
    const uint32_t order[] = {1, 3, 4, 2, 5}, threads[] = {0, 1, 2, 0, 3};
    ser_run *run = small_run_of(&trace);
    ser_error error;
    ser_plan plan;
    assert_int_equal(ser_plan_make(&plan, run, order, 5, &error), SER_OK);
    assert_int_equal(plan.turns.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(plan.turns.items[i].thread, threads[i]);
    ser_input_list inputs = {0}, renamed = {0};
    ser_vector_push(&inputs, ((ser_record){.thread = 2, .value = 20}));
    ser_vector_push(&inputs, ((ser_record){.thread = 3, .value = 30}));
    ser_inputs_renumber(&renamed, &inputs, &plan);
    assert_int_equal(renamed.count, 2);
    assert_int_equal(renamed.items[0].thread, 2);
    assert_int_equal(renamed.items[0].value, 30);
    ser_vector_free(&inputs);
    ser_vector_free(&renamed);
    ser_plan_fini(&plan);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aside),        cmocka_unit_test(test_aside_of_cut_file),
        cmocka_unit_test(test_missing_file), cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_no_inputs),    cmocka_unit_test(test_threads_by_creation),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
