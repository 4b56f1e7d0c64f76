/* SPDX-License-Identifier: MIT */
/* Native traces: what is written is what is read, names and numbers included. */
#include <stdlib.h>
#include <unistd.h>

#include "native_samples.h"
#include "trace/native/native_format.h"

static void check_round_trip(const native_sample *sample, size_t batch_size)
{
    size_t length;
    ser_output *output = write_sample(sample);
    const void *bytes = ser_output_bytes(output, &length);
    ser_reader *reader;
    ser_error error;
    assert_int_equal(ser_reader_open_memory(&reader, bytes, length, "sample", &error), SER_OK);
    assert_string_equal(ser_reader_format(reader), "native");
    native_reading reading = read_all(reader, batch_size);
    assert_whole(&reading, sample);
    assert_same_names(ser_reader_symbols(reader), sample->symbols);
    ser_vector_free(&reading.events);
    ser_reader_close(reader);
    ser_output_close(output);
}

static void random_traces(void **state)
{
    static const size_t batches[] = {1, 7, 100, 4096, 200000};
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint32_t names = seed % 4 == 0 ? 700 : 5 + (uint32_t)seed;
        native_sample sample = random_sample(seed, names, 50 * seed);
        check_round_trip(&sample, batches[seed % 5]);
        sample_free(&sample);
    }
}

/* Blocks of more than 65,536 events, and one event on either side. */
static void several_blocks(void **state)
{
    (void)state;
    for (size_t events = (1 << 17) - 1; events <= (1 << 17) + 1; events++) {
        native_sample sample = random_sample(events, 300, events);
        check_round_trip(&sample, 5000);
        sample_free(&sample);
    }
}

static void no_events_at_all(void **state)
{
    (void)state;
    native_sample sample = random_sample(1, 3, 0);
    check_round_trip(&sample, 10);
    sample_free(&sample);
}

/* Numbers that need two, three and more bytes; more than 65,536 sites in use. */
static void large_numbers(void **state)
{
    (void)state;
    native_sample sample = random_sample(1, 70000, 0);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 140000; i++) {
        ser_event event = random_event(&seed, 70000);
        event.thread = i % 70000;
        event.site = 69999 - i % 70000;
        ser_vector_push(&sample.events, event);
    }
    check_round_trip(&sample, 4096);
    sample_free(&sample);
}

static void values_of_every_length(void **state)
{
    (void)state;
    native_sample sample = random_sample(1, 2, 0);
    for (unsigned i = 0; i < 260; i++) {
        ser_event event = {.op = i % 2 ? SER_OP_READ : SER_OP_POST,
                           .site = SER_NO_SITE,
                           .flags = SER_EVENT_HAS_VALUE,
                           .value = (i & 2 ? 0 : ~(uint64_t)0) ^ (uint64_t)1 << i / 4 % 64};
        ser_vector_push(&sample.events, event);
    }
    check_round_trip(&sample, 16);
    sample_free(&sample);
}

static void long_names(void **state)
{
    (void)state;
    native_sample sample = random_sample(1, 2, 10);
    size_t length = 3 << 20;
    char *text = ser_resize(NULL, length, 1);
    memset(text, 'x', length);
    ser_symbols_add(sample.symbols, SER_SPACE_VARIABLE, text, length);
    ser_symbols_add(sample.symbols, SER_SPACE_VARIABLE, text, length - 1);
    ser_symbols_add(sample.symbols, SER_SPACE_LABEL, "", 0);
    ser_symbols_add(sample.symbols, SER_SPACE_LOCK, "a\0b", 3);
    check_round_trip(&sample, 16);
    free(text);
    sample_free(&sample);
}

/* Flags that validation and block marking set are not in the file. */
static void other_flags_are_not_written(void **state)
{
    (void)state;
    native_sample sample = random_sample(3, 4, 100);
    for (size_t i = 0; i < 100; i++)
        sample.events.items[i].flags |= SER_EVENT_INNER | SER_EVENT_OPENS | SER_EVENT_CLOSES;
    size_t length;
    ser_output *output = write_sample(&sample);
    const void *bytes = ser_output_bytes(output, &length);
    native_reading reading = read_bytes(bytes, length, 64);
    for (size_t i = 0; i < 100; i++)
        sample.events.items[i].flags &=
            SER_EVENT_HAS_VALUE | SER_EVENT_JOINED | SER_EVENT_CONTINUES | SER_EVENT_LATE;
    assert_whole(&reading, &sample);
    ser_vector_free(&reading.events);
    ser_output_close(output);
    sample_free(&sample);
}

/* Ends what was written to memory: it is the sample. */
static void expect_written(void *writer, ser_output *output, const native_sample *sample)
{
    size_t length;
    ser_encoder_native.finish(writer);
    ser_encoder_native.close(writer);
    const void *bytes = ser_output_bytes(output, &length);
    native_reading reading = read_bytes(bytes, length, 4096);
    assert_whole(&reading, sample);
    ser_vector_free(&reading.events);
    ser_output_close(output);
}

/* Names that appear while events are written are in the file in time. */
static void names_that_come_later(void **state)
{
    (void)state;
    native_sample sample = random_sample(1, 2, 0);
    ser_output *output = ser_output_open_memory();
    void *writer = ser_encoder_native.open(output, sample.symbols);
    uint64_t seed = 9;
    for (uint32_t i = 0; i < 150000; i++) {
        if (i % 1000 == 0)
            add_names(sample.symbols, 3 + i / 1000);
        ser_event event = random_event(&seed, ser_symbols_count(sample.symbols, SER_SPACE_THREAD));
        ser_vector_push(&sample.events, event);
        ser_encoder_native.put(writer, &event, 1);
    }
    expect_written(writer, output, &sample);
    sample_free(&sample);
}

/* Bytes that are no events, large ones too, may come between any two events. */
static void asides_between_events(void **state)
{
    enum { EVENTS = 100000, EACH = 7001, SIZE = 700000 };
    (void)state;
    native_sample sample = random_sample(5, 9, EVENTS);
    ser_output *output = ser_output_open_memory();
    void *writer = ser_encoder_native.open(output, sample.symbols);
    uint8_t *aside = ser_alloc(SIZE, 1);
    for (size_t i = 0; i < EVENTS; i++) {
        if (i % EACH == 0)
            ser_encoder_native.put_aside(writer, SER_NATIVE_INPUTS, aside, SIZE);
        ser_encoder_native.put(writer, &sample.events.items[i], 1);
    }
    expect_written(writer, output, &sample);
    free(aside);
    sample_free(&sample);
}

/* Through a file: the way of tools, with a second pass. */
static void a_file_twice(void **state)
{
    (void)state;
    char path[] = "/tmp/test_native_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    native_sample sample = random_sample(77, 50, 100000);
    ser_error error;
    ser_writer *writer;
    assert_int_equal(ser_writer_open(&writer, path, SER_WRITE_NATIVE, sample.symbols, &error),
                     SER_OK);
    for (size_t i = 0; i < sample.events.count; i += 1000)
        assert_int_equal(ser_writer_put(writer, sample.events.items + i, 1000, &error), SER_OK);
    assert_int_equal(ser_writer_finish(writer, &error), SER_OK);
    ser_writer_close(writer);

    ser_reader *reader;
    ser_reader_options options = {.skip_sites = true};
    assert_int_equal(ser_reader_open(&reader, path, &options, &error), SER_OK);
    native_reading reading = read_all(reader, 4096);
    assert_int_equal(reading.events.count, sample.events.count);
    for (size_t i = 0; i < reading.events.count; i++)
        assert_int_equal(reading.events.items[i].site, SER_NO_SITE);
    assert_int_equal(ser_symbols_site_count(ser_reader_symbols(reader)), 0);
    ser_vector_free(&reading.events);

    assert_int_equal(ser_reader_rewind(reader, false, &error), SER_OK);
    reading = read_all(reader, 4096);
    assert_whole(&reading, &sample);
    assert_same_names(ser_reader_symbols(reader), sample.symbols);
    ser_vector_free(&reading.events);
    ser_reader_close(reader);
    sample_free(&sample);
    unlink(path);
}

/* A reader that has other names already gives its own numbers. */
static void numbers_of_the_reader(void **state)
{
    (void)state;
    native_sample sample = random_sample(4, 20, 3000);
    size_t length;
    ser_output *output = write_sample(&sample);
    const void *bytes = ser_output_bytes(output, &length);
    ser_format_context context = {.input = ser_input_open_memory(bytes, length, "sample"),
                                  .symbols = ser_symbols_create()};
    ser_symbols_add(context.symbols, SER_SPACE_THREAD, "other", 5);
    ser_symbols_add(context.symbols, SER_SPACE_VARIABLE, "other", 5);
    ser_symbols_add(context.symbols, SER_SPACE_FUNCTION, "other", 5);
    ser_symbols_add_site(context.symbols, "other", 5, SER_NO_OBJECT);
    ser_error error;
    ser_event batch[3001];
    size_t count;
    void *reader;
    assert_int_equal(ser_format_native.open(&reader, &context, &error), SER_OK);
    assert_int_equal(ser_format_native.next(reader, &context, batch, 3001, &count, &error), SER_OK);
    assert_int_equal(count, 3000);
    for (size_t i = 0; i < count; i++) {
        ser_event expected = sample.events.items[i];
        expected.thread++;
        expected.object += ser_op_space((ser_op)expected.op) == SER_SPACE_VARIABLE ||
                           ser_op_space((ser_op)expected.op) == SER_SPACE_FUNCTION ||
                           ser_op_space((ser_op)expected.op) == SER_SPACE_THREAD;
        expected.site += expected.site != SER_NO_SITE;
        assert_memory_equal(&batch[i], &expected, sizeof expected);
    }
    assert_int_equal(ser_symbols_site_function(context.symbols, 2), 2);
    ser_format_native.close(reader);
    ser_symbols_destroy(context.symbols);
    ser_input_close(context.input);
    ser_output_close(output);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces),
        cmocka_unit_test(several_blocks),
        cmocka_unit_test(no_events_at_all),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(values_of_every_length),
        cmocka_unit_test(long_names),
        cmocka_unit_test(other_flags_are_not_written),
        cmocka_unit_test(names_that_come_later),
        cmocka_unit_test(asides_between_events),
        cmocka_unit_test(a_file_twice),
        cmocka_unit_test(numbers_of_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
