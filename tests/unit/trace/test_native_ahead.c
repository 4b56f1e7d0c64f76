/* SPDX-License-Identifier: MIT */
/* Long native files, which a second thread reads ahead: the same as from memory, where none does.
 */
#include <stdlib.h>
#include <unistd.h>

#include "native_samples.h"

enum { EVENTS = 420000, PATTERNS = 100 }; /* more than six blocks */

static native_sample sample;
static uint8_t *bytes;
static size_t length;

/* Few different ones, as in programs, so that it does not take long. */
static int make_sample(void **state)
{
    (void)state;
    uint64_t seed = 31;
    sample = random_sample(7, 40, PATTERNS);
    while (sample.events.count < EVENTS) {
        ser_event event = sample.events.items[draw(&seed, PATTERNS)];
        event.thread = draw(&seed, 9);
        if (event.flags & SER_EVENT_HAS_VALUE)
            event.value = draw(&seed, 1u << 31);
        ser_vector_push(&sample.events, event);
    }
    ser_output *output = write_sample(&sample);
    const void *written = ser_output_bytes(output, &length);
    bytes = ser_resize(NULL, length, 1);
    memcpy(bytes, written, length);
    ser_output_close(output);
    return 0;
}

static int free_sample(void **state)
{
    (void)state;
    free(bytes);
    sample_free(&sample);
    return 0;
}

/* A file of the first `size` bytes. */
static ser_reader *open_file(size_t size)
{
    char path[] = "/tmp/test_native_ahead_XXXXXX";
    int file = mkstemp(path);
    ser_error error;
    ser_reader *reader;
    assert_true(file >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t count = write(file, bytes + done, size - done);
        assert_true(count > 0);
        done += (size_t)count;
    }
    close(file);
    assert_int_equal(ser_reader_open(&reader, path, NULL, &error), SER_OK);
    unlink(path);
    return reader;
}

static void pass_over(ser_reader *reader, size_t events)
{
    ser_event batch[4096];
    ser_error error;
    size_t count;
    for (size_t done = 0; done < events; done += count) {
        assert_int_equal(ser_reader_next(reader, batch, 4096, &count, &error), SER_OK);
        assert_true(count > 0);
    }
}

static void all_events_and_names(void **state)
{
    (void)state;
    ser_reader *reader = open_file(length);
    native_reading reading = read_all(reader, 4096);
    assert_whole(&reading, &sample);
    assert_same_names(ser_reader_symbols(reader), sample.symbols);
    ser_vector_free(&reading.events);
    ser_reader_close(reader);
}

/* The thread may be anywhere by then. */
static void back_from_the_middle(void **state)
{
    (void)state;
    ser_reader *reader = open_file(length);
    ser_error error;
    for (size_t events = EVENTS - 160000; events < EVENTS; events += 40000) {
        pass_over(reader, events);
        assert_int_equal(ser_reader_rewind(reader, false, &error), SER_OK);
    }
    native_reading reading = read_all(reader, 4096);
    assert_whole(&reading, &sample);
    ser_vector_free(&reading.events);
    ser_reader_close(reader);
}

static void closed_in_the_middle(void **state)
{
    (void)state;
    for (size_t events = EVENTS - 160000; events < EVENTS; events += 40000) {
        ser_reader *reader = open_file(length);
        pass_over(reader, events);
        ser_reader_close(reader);
    }
}

/* The text from its first comma on: before that is the name. */
static const char *after_name(const ser_error *error)
{
    const char *comma = strchr(error->text, ',');
    return comma ? comma : error->text;
}

static void expect_as_from_memory(size_t size)
{
    ser_reader *reader = open_file(size);
    native_reading file = read_all(reader, 4096), memory = read_bytes(bytes, size, 4096);
    assert_true(file.events.count > 4 << 16);
    assert_int_equal(file.events.count, memory.events.count);
    assert_starts(&file, &sample);
    assert_int_equal(file.status, memory.status);
    assert_string_equal(file.note, memory.note);
    if (file.status != SER_OK)
        assert_string_equal(after_name(&file.error), after_name(&memory.error));
    ser_vector_free(&file.events);
    ser_vector_free(&memory.events);
    ser_reader_close(reader);
}

static void cut_short(void **state)
{
    (void)state;
    expect_as_from_memory(length - 1);
    expect_as_from_memory(length - length / 16);
}

static void damaged(void **state)
{
    (void)state;
    for (size_t back = 5; back < length / 4; back += length / 12) {
        bytes[length - back] ^= 4;
        expect_as_from_memory(length);
        bytes[length - back] ^= 4;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_events_and_names),
        cmocka_unit_test(back_from_the_middle),
        cmocka_unit_test(closed_in_the_middle),
        cmocka_unit_test(cut_short),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, make_sample, free_sample);
}
