/* SPDX-License-Identifier: MIT */
/* A file can be read from its checkpoints on: the same events come, and what still matters of those
 * before is what the events say, with the index and without it. */
#include "native_samples.h"
#include "trace/checkpoint.h"
#include "trace/native/native_format.h"

enum { EVERY = 100, EVENTS = 3000 };

static ser_output *write_with_checkpoints(const native_sample *sample, uint64_t every)
{
    ser_output *output = ser_output_open_memory();
    void *state = ser_encoder_native.open(output, sample->symbols);
    ser_encoder_native.set_checkpoints(state, every);
    ser_encoder_native.put(state, sample->events.items, sample->events.count);
    ser_encoder_native.finish(state);
    ser_encoder_native.close(state);
    return output;
}

static void assert_past(const native_sample *sample, uint64_t count, const ser_past_events *past)
{
    ser_checkpoint checkpoint = {.keeps_threads = true};
    ser_past_events expected = {0};
    for (uint64_t i = 0; i < count; i++)
        ser_checkpoint_take(&checkpoint, &sample->events.items[i], i + 1);
    ser_checkpoint_list(&checkpoint, &expected);
    assert_int_equal(past->count, expected.count);
    for (size_t i = 0; i < past->count; i++) {
        const ser_past_event *one = &past->items[i], *other = &expected.items[i];
        assert_int_equal(one->number, other->number);
        assert_memory_equal(&one->event, &other->event, sizeof one->event);
        assert_int_equal(one->times, other->times);
        assert_int_equal(one->ends_wait, other->ends_wait);
    }
    ser_vector_free(&expected);
    ser_checkpoint_fini(&checkpoint);
}

/* Where it went. */
static uint64_t read_from(const native_sample *sample, const void *bytes, size_t size,
                          uint64_t most)
{
    ser_reader *reader;
    ser_error error;
    ser_past_events past = {0};
    ser_event batch[7];
    size_t count;
    bool went;
    assert_int_equal(ser_reader_open_memory(&reader, bytes, size, "sample", &error), SER_OK);
    assert_int_equal(ser_reader_next(reader, batch, 7, &count, &error), SER_OK);
    assert_int_equal(ser_reader_seek(reader, 7, most, &went, &past, &error), SER_OK);
    uint64_t at = ser_reader_events(reader);
    assert_true(went ? at <= most && at > 7 : at == 7);
    if (went)
        assert_past(sample, at, &past);
    native_reading rest = read_all(reader, 64);
    assert_int_equal(rest.status, SER_OK);
    assert_true(at + rest.events.count <= sample->events.count);
    assert_memory_equal(rest.events.items, sample->events.items + at,
                        rest.events.count * sizeof(ser_event));
    if (rest.note[0] == '\0')
        assert_int_equal(at + rest.events.count, sample->events.count);
    ser_vector_free(&rest.events);
    ser_vector_free(&past);
    ser_reader_close(reader);
    return at;
}

/* No step may be divided, so there are fewer checkpoints where many events are joined. */
static void test_same_events(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        native_sample sample = random_sample(seed, 30, EVENTS);
        ser_output *output = write_with_checkpoints(&sample, EVERY);
        size_t size;
        const uint8_t *bytes = ser_output_bytes(output, &size);
        for (uint64_t most = 0; most <= EVENTS + EVERY; most += 37)
            read_from(&sample, bytes, size, most);
        assert_true(read_from(&sample, bytes, size, UINT64_MAX) > EVENTS - 5 * EVERY);
        assert_int_equal(read_from(&sample, bytes, size, EVERY - 1), 7);
        native_reading all = read_bytes(bytes, size, 100);
        assert_whole(&all, &sample);
        ser_vector_free(&all.events);
        ser_output_close(output);
        sample_free(&sample);
    }
}

/* A file whose writer died has checkpoints, but no index. */
static void test_cut_file(void **state)
{
    (void)state;
    native_sample sample = random_sample(3, 30, EVENTS);
    ser_output *output = write_with_checkpoints(&sample, EVERY);
    size_t size;
    const uint8_t *bytes = ser_output_bytes(output, &size);
    for (size_t cut = size - 1; cut > size / 2; cut -= 97)
        assert_true(read_from(&sample, bytes, cut, EVENTS / 3) > EVENTS / 4);
    ser_output_close(output);
    sample_free(&sample);
}

static void test_no_checkpoints(void **state)
{
    (void)state;
    native_sample sample = random_sample(3, 30, EVENTS);
    ser_output *output = write_sample(&sample);
    size_t size;
    const uint8_t *bytes = ser_output_bytes(output, &size);
    assert_int_equal(read_from(&sample, bytes, size, UINT64_MAX), 7);
    ser_output_close(output);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_events),
        cmocka_unit_test(test_cut_file),
        cmocka_unit_test(test_no_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
