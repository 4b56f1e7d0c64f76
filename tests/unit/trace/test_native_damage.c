/* SPDX-License-Identifier: MIT */
/*
 * Native traces that are not as they should be: cut short, damaged, of a later
 * version, or made to deceive. Files are taken apart into blocks, changed, and
 * put together again with right checksums.
 */
#include <zlib.h>

#include "native_change.h"

/* Reading the changed file fails with these words, and no event is delivered. */
static void expect_refusal(uint8_t kind, payload_change *change, const char *words)
{
    native_sample sample = tiny_sample();
    made_file file = change_blocks(&sample, kind, change);
    native_reading reading = read_bytes(file.bytes, file.length, 100);
    assert_int_equal(reading.status, SER_INPUT);
    if (!strstr(reading.error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", reading.error.text, words);
    assert_starts(&reading, &sample);
    ser_vector_free(&reading.events);
    ser_output_close(file.output);
    sample_free(&sample);
}

/* --- cut and damaged files --------------------------------------------------- */

/* Whole blocks in front of a cut are read, and the cut is noted. */
static void cut_at_every_byte(void **state)
{
    (void)state;
    native_sample sample = random_sample(6, 6, 40);
    made_file file = file_of(write_sample(&sample));
    for (size_t length = 1; length < file.length; length++) {
        native_reading reading = read_bytes(file.bytes, length, 16);
        assert_int_equal(reading.status, SER_OK);
        assert_non_null(strstr(reading.note, "cut short after event"));
        assert_true(reading.events.count == 0 || reading.events.count == 40);
        assert_starts(&reading, &sample);
        ser_vector_free(&reading.events);
    }
    ser_output_close(file.output);
    sample_free(&sample);
}

static void cut_between_blocks_of_events(void **state)
{
    (void)state;
    native_sample sample = random_sample(6, 6, 70000);
    made_file file = file_of(write_sample(&sample));
    native_reading reading = read_bytes(file.bytes, file.length - 3000, 4096);
    assert_int_equal(reading.status, SER_OK);
    assert_non_null(strstr(reading.note, "after event 65536 "));
    assert_int_equal(reading.events.count, 65536);
    assert_starts(&reading, &sample);
    ser_vector_free(&reading.events);
    ser_output_close(file.output);
    sample_free(&sample);
}

static void flip_every_bit(void **state)
{
    (void)state;
    native_sample sample = random_sample(8, 4, 20);
    made_file file = file_of(write_sample(&sample));
    uint8_t *bytes = ser_resize(NULL, file.length, 1);
    memcpy(bytes, file.bytes, file.length);
    for (size_t bit = 0; bit < 8 * file.length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        native_reading reading = read_bytes(bytes, file.length, 7);
        assert_int_equal(reading.status, SER_INPUT);
        assert_starts(&reading, &sample);
        ser_vector_free(&reading.events);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(bytes);
    ser_output_close(file.output);
    sample_free(&sample);
}

static void more_data_after_the_end(void **state)
{
    (void)state;
    native_sample sample = tiny_sample();
    made_file file = file_of(write_sample(&sample));
    uint8_t *bytes = ser_resize(NULL, 2 * file.length, 1);
    memcpy(bytes, file.bytes, file.length);
    memcpy(bytes + file.length, file.bytes, file.length);
    for (size_t more = 1; more <= file.length; more += file.length - 1) {
        native_reading reading = read_bytes(bytes, file.length + more, 7);
        assert_int_equal(reading.status, SER_INPUT);
        assert_non_null(strstr(reading.error.text, "more data after the end"));
        assert_int_equal(reading.events.count, 3);
        ser_vector_free(&reading.events);
    }
    free(bytes);
    ser_output_close(file.output);
    sample_free(&sample);
}

/* A gzip stream that is cut is broken input, whatever is inside. */
static void cut_outer_compression(void **state)
{
    (void)state;
    native_sample sample = random_sample(8, 4, 2000);
    made_file file = file_of(write_sample(&sample));
    uint8_t *packed = ser_alloc(2 * file.length + 100, 1);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)file.bytes,
                       .avail_in = (uInt)file.length,
                       .next_out = packed,
                       .avail_out = (uInt)(2 * file.length + 100)};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    for (size_t missing = 1; missing < stream.total_out; missing += 100) {
        native_reading reading = read_bytes(packed, stream.total_out - missing, 4096);
        assert_int_equal(reading.status, SER_INPUT);
        ser_vector_free(&reading.events);
    }
    deflateEnd(&stream);
    free(packed);
    ser_output_close(file.output);
    sample_free(&sample);
}

/* --- later versions ----------------------------------------------------------- */

static void newer_version_is_refused(void **state)
{
    (void)state;
    uint8_t header[SER_NATIVE_HEADER_SIZE] = SER_NATIVE_MAGIC;
    ser_store(header + 8, SER_NATIVE_MAJOR + 41, 2);
    ser_store(header + 10, 5, 2);
    ser_store(header + 12, crc32(0, header, 12), 4);
    native_reading reading = read_bytes(header, sizeof header, 10);
    assert_int_equal(reading.status, SER_INPUT);
    assert_non_null(strstr(reading.error.text, "version 42.5"));
    assert_non_null(strstr(reading.error.text, "reads version 1"));
}

static size_t make_operation_unknown(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    payload[COLUMNS_AT] = 200;
    payload[COLUMNS_AT + 1] |= SER_POINT_HAS_EXTRA | SER_POINT_LATE | SER_POINT_JOINED;
    payload[COLUMNS_AT + 2] = 99; /* and its objects are of a space to come */
    return size;
}

/* The other operation keeps its place and value. */
static void unknown_operation_becomes_skip(void **state)
{
    (void)state;
    native_sample sample = tiny_sample();
    made_file file = change_blocks(&sample, SER_NATIVE_EVENTS, make_operation_unknown);
    native_reading reading = read_bytes(file.bytes, file.length, 2);
    for (size_t i = 0; i < 3; i += 2) {
        sample.events.items[i].op = SER_OP_SKIP;
        sample.events.items[i].object = SER_NO_OBJECT;
    }
    assert_whole(&reading, &sample);
    ser_vector_free(&reading.events);
    ser_output_close(file.output);
    sample_free(&sample);
}

static size_t add_a_column(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    memmove(payload + COLUMNS_AT + 1, payload + COLUMNS_AT, size - COLUMNS_AT);
    payload[0]++;
    payload[COLUMNS_AT] = 3; /* its size */
    memcpy(payload + size + 1, "new", 3);
    return size + 4;
}

static size_t add_a_table(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    memcpy(payload + size, "\x64\x02\x03new", 6); /* table 100, two names, three bytes */
    return size + 6;
}

static size_t add_a_total(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    memcpy(payload + size, "\x7f\x05", 2);
    return size + 2;
}

static void additions_are_passed_over(void **state)
{
    (void)state;
    native_sample sample = tiny_sample();
    made_file files[] = {
        change_blocks(&sample, SER_NATIVE_EVENTS, add_a_column),
        change_blocks(&sample, SER_NATIVE_NAMES, add_a_table),
        change_blocks(&sample, SER_NATIVE_TRAILER, add_a_total),
    };
    for (int i = 0; i < 3; i++) {
        native_reading reading = read_bytes(files[i].bytes, files[i].length, 100);
        assert_whole(&reading, &sample);
        ser_vector_free(&reading.events);
        ser_output_close(files[i].output);
    }
    sample_free(&sample);
}

static size_t make_block_skippable(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)payload;
    block->kind = 0x93;
    return size;
}

static size_t make_block_unknown(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)payload;
    block->kind = 0x13;
    return size;
}

/* Without its trailer the file looks cut, but everything was read. */
static void unknown_blocks(void **state)
{
    (void)state;
    native_sample sample = tiny_sample();
    made_file file = change_blocks(&sample, SER_NATIVE_TRAILER, make_block_skippable);
    native_reading reading = read_bytes(file.bytes, file.length, 100);
    assert_int_equal(reading.status, SER_OK);
    assert_int_equal(reading.events.count, 3);
    assert_non_null(strstr(reading.note, "after event 3 "));
    ser_vector_free(&reading.events);
    ser_output_close(file.output);
    sample_free(&sample);
    expect_refusal(SER_NATIVE_TRAILER, make_block_unknown, "does not know; use a newer one");
}

/* --- deception: right checksums, wrong contents ------------------------------------ */

/* The columns of the tiny sample: definitions of two points (4 bytes each), the
 * list of threads, the list of points, planes of points and of objects. */
enum { THREADS_AT = COLUMNS_AT + 8, POINTS_AT, POINT_AT = POINTS_AT + 2, OBJECT_AT = POINT_AT + 3 };

static size_t name_a_thread_twice(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block, (void)size;
    memcpy(payload, "\x01\x02\x04\x01\x01TT", 7);
    return 7;
}

static size_t value_too_long(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    payload[size - 3] = 9;
    return size;
}

static size_t value_missing(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    payload[1 + SER_COLUMN_VALUES] = 1;
    return size - 1;
}

static size_t more_events_than_columns(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)payload;
    block->events = 4;
    return size;
}

static size_t block_out_of_order(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)payload;
    block->first = 7;
    return size;
}

/* One byte that is another one. */
static const struct {
    const char *what;
    uint8_t kind; /* of the block */
    size_t at;    /* in its payload */
    uint8_t byte;
    const char *words;
} wrong_bytes[] = {
    {"thread without name", SER_NATIVE_EVENTS, THREADS_AT, 2, "a thread that was not named"},
    {"point without definition", SER_NATIVE_EVENTS, POINTS_AT + 1, 4, "was not defined"},
    {"point outside its list", SER_NATIVE_EVENTS, POINT_AT, 2, "points of events are missing"},
    {"object without name", SER_NATIVE_EVENTS, OBJECT_AT, 6, "an object that was not named"},
    {"object that must not lack", SER_NATIVE_EVENTS, OBJECT_AT, 0, "an object that was not named"},
    {"site without name", SER_NATIVE_EVENTS, COLUMNS_AT + 3, 0, "a site that was not named"},
    {"space of another operation", SER_NATIVE_EVENTS, COLUMNS_AT + 2, SER_SPACE_LOCK,
     "objects of a wrong kind"},
    {"column too long", SER_NATIVE_EVENTS, 1 + SER_COLUMN_VALUES, 100, "columns reach beyond"},
    {"wrong total", SER_NATIVE_TRAILER, 1, 2, "a block is missing"},
};

static size_t wrong_now; /* which of them */

static size_t set_wrong_byte(ser_native_block *block, uint8_t *payload, size_t size)
{
    (void)block;
    payload[wrong_bytes[wrong_now].at] = wrong_bytes[wrong_now].byte;
    return size;
}

static void wrong_bytes_are_refused(void **state)
{
    (void)state;
    for (wrong_now = 0; wrong_now < sizeof wrong_bytes / sizeof *wrong_bytes; wrong_now++) {
        print_message("%s\n", wrong_bytes[wrong_now].what);
        expect_refusal(wrong_bytes[wrong_now].kind, set_wrong_byte, wrong_bytes[wrong_now].words);
    }
}

static void deceptions_are_seen_through(void **state)
{
    (void)state;
    expect_refusal(SER_NATIVE_NAMES, name_a_thread_twice, "had before");
    expect_refusal(SER_NATIVE_EVENTS, value_too_long, "event 2: ");
    expect_refusal(SER_NATIVE_EVENTS, value_missing, "values of events are missing");
    expect_refusal(SER_NATIVE_EVENTS, more_events_than_columns, "are missing");
    expect_refusal(SER_NATIVE_EVENTS, block_out_of_order, "does not continue");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(cut_between_blocks_of_events),
        cmocka_unit_test(flip_every_bit),
        cmocka_unit_test(more_data_after_the_end),
        cmocka_unit_test(cut_outer_compression),
        cmocka_unit_test(newer_version_is_refused),
        cmocka_unit_test(unknown_operation_becomes_skip),
        cmocka_unit_test(additions_are_passed_over),
        cmocka_unit_test(unknown_blocks),
        cmocka_unit_test(wrong_bytes_are_refused),
        cmocka_unit_test(deceptions_are_seen_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
