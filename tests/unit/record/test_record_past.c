/* SPDX-License-Identifier: MIT */
/* What is kept of a run that is over, record by record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "record/past.h"
#include "trace/event.h"

enum { MOST = 64 };

typedef struct written {
    ser_record records[MOST];
    size_t count;
} written;

static void put(void *context, const ser_record *records, size_t count)
{
    written *to = context;
    for (size_t i = 0; i < count; i++) {
        assert_true(to->count < MOST);
        to->records[to->count++] = records[i];
    }
}

static written write_past(ser_past *past)
{
    written result = {.count = 0};
    ser_past_write(past, put, &result);
    return result;
}

static void add(ser_past *past, unsigned op, unsigned thread, uint64_t object, uint64_t value)
{
    const ser_record record = {
        .op = (uint8_t)op, .thread = (uint16_t)thread, .object = object, .value = value};
    ser_past_add(past, &record, 1);
}

/* "op thread object value" of each, in order. */
static void expect(ser_past *past, const unsigned (*wanted)[4], size_t count)
{
    written got = write_past(past);
    assert_int_equal(got.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(got.records[i].op, wanted[i][0]);
        assert_int_equal(got.records[i].thread, wanted[i][1]);
        assert_int_equal(got.records[i].object, wanted[i][2]);
        assert_int_equal(got.records[i].value, wanted[i][3]);
    }
}

#define EXPECT(past, ...)                                                                          \
    expect(past, (const unsigned[][4]){__VA_ARGS__},                                               \
           sizeof((const unsigned[][4]){__VA_ARGS__}) / sizeof(unsigned[4]))

static void keeps_locks_that_are_held(void **state)
{
    ser_past *past = ser_past_create();
    (void)state;
    add(past, SER_OP_ACQUIRE, 1, 100, 0);
    add(past, SER_OP_ACQUIRE, 1, 200, 0);
    add(past, SER_OP_ACQUIRE, 1, 100, 0); /* re-entrant */
    add(past, SER_OP_SHARED_ACQUIRE, 2, 300, 0);
    add(past, SER_OP_SHARED_ACQUIRE, 3, 300, 0);
    add(past, SER_OP_RELEASE, 1, 100, 0);
    add(past, SER_OP_SHARED_RELEASE, 2, 300, 0);
    EXPECT(past, {SER_OP_ACQUIRE, 1, 100, 0}, {SER_OP_ACQUIRE, 1, 200, 0},
           {SER_OP_SHARED_ACQUIRE, 3, 300, 0});
    ser_past_destroy(past);
}

static void keeps_readers_that_were_writers(void **state)
{
    ser_past *past = ser_past_create();
    (void)state;
    add(past, SER_OP_ACQUIRE, 1, 100, 0);
    add(past, SER_OP_SHARED_ACQUIRE, 1, 100, 0);
    add(past, SER_OP_RELEASE, 1, 100, 0);
    EXPECT(past, {SER_OP_SHARED_ACQUIRE, 1, 100, 0});
    ser_past_destroy(past);
}

static void keeps_what_is_awaited(void **state)
{
    ser_past *past = ser_past_create();
    (void)state;
    add(past, SER_OP_WAIT, 1, 100, 0);
    add(past, SER_OP_WAIT, 2, 100, 0);
    add(past, SER_OP_ARRIVE, 3, 200, 0);
    add(past, SER_OP_ACQUIRE, 2, 300, 0); /* it has been woken */
    add(past, SER_OP_POST, 2, 400, 0);
    add(past, SER_OP_POST, 4, 400, 0);
    add(past, SER_OP_POST, 4, 500, 0);
    add(past, SER_OP_TAKE, 5, 400, 0); /* first come, first served */
    EXPECT(past, {SER_OP_ACQUIRE, 2, 300, 0}, {SER_OP_POST, 4, 400, 0}, {SER_OP_POST, 4, 500, 0},
           {SER_OP_WAIT, 1, 100, 0}, {SER_OP_ARRIVE, 3, 200, 0});
    ser_past_destroy(past);
}

static void keeps_what_is_open(void **state)
{
    ser_past *past = ser_past_create();
    (void)state;
    add(past, SER_OP_CALL, 0, 7, 0);
    add(past, SER_OP_BEGIN, 0, 1, 0);
    add(past, SER_OP_CALL, 0, 8, 0);
    add(past, SER_OP_CALL, 0, 9, 0);
    add(past, SER_OP_RETURN, 0, 8, 0); /* 9 was left by a jump */
    add(past, SER_OP_BEGIN, 1, 2, 0);
    add(past, SER_OP_END, 1, 2, 0);
    EXPECT(past, {SER_OP_CALL, 0, 7, 0}, {SER_OP_BEGIN, 0, 1, 0});
    ser_past_destroy(past);
}

static void keeps_memory_that_is_allocated(void **state)
{
    ser_past *past = ser_past_create();
    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        add(past, SER_RAW_ALLOCATE, 0, 1000 + i, 1);
        if (i != 2500)
            add(past, SER_RAW_FREE, 0, 1000 + i, 0);
    }
    add(past, SER_RAW_ALLOCATE, 0, 3500, 2); /* the same address again */
    add(past, SER_RAW_THREAD, 2, 9000, 100);
    EXPECT(past, {SER_RAW_THREAD, 2, 9000, 100}, {SER_RAW_ALLOCATE, 0, 3500, 2});
    ser_past_destroy(past);
}

static void keeps_bytes_that_are_on_their_way(void **state)
{
    ser_past *past = ser_past_create();
    const ser_record records[] = {
        {.op = SER_RAW_STREAM, .thread = 1, .object = 5, .value = 100, .size = SER_STREAM_SENT},
        {.op = SER_RAW_STREAM, .thread = 2, .object = 5, .value = 30, .size = SER_STREAM_RECEIVED},
        {.op = SER_RAW_STREAM, .thread = 3, .object = 5, .value = 10, .size = SER_STREAM_SENT_LATE},
        {.op = SER_RAW_UNSENT, .thread = 3, .object = 5, .value = 5},
        {.op = SER_RAW_STREAM, .thread = 1, .object = 6, .value = 9, .size = SER_STREAM_SENT},
        {.op = SER_RAW_STREAM, .thread = 2, .object = 6, .value = 9, .size = SER_STREAM_RECEIVED},
    };
    (void)state;
    ser_past_add(past, records, sizeof records / sizeof *records);
    EXPECT(past, {SER_RAW_STREAM, 3, 5, 75});
    ser_past_destroy(past);
}

/* The bytes of a text may look like anything. */
static void keeps_definitions_whole(void **state)
{
    ser_past *past = ser_past_create();
    const ser_record next = {.op = SER_OP_ACQUIRE, .object = 100};
    (void)state;
    add(past, SER_RAW_TEXT, 0, 1, sizeof(ser_record) + 1);
    assert_false(ser_past_may_end(past, &next));
    add(past, SER_OP_ACQUIRE, 0, 100, 0);
    add(past, SER_OP_ACQUIRE, 0, 100, 0);
    assert_true(ser_past_may_end(past, &next));
    EXPECT(past, {SER_RAW_TEXT, 0, 1, sizeof(ser_record) + 1}, {SER_OP_ACQUIRE, 0, 100, 0},
           {SER_OP_ACQUIRE, 0, 100, 0});
    ser_past_destroy(past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_locks_that_are_held),
        cmocka_unit_test(keeps_readers_that_were_writers),
        cmocka_unit_test(keeps_what_is_awaited),
        cmocka_unit_test(keeps_what_is_open),
        cmocka_unit_test(keeps_memory_that_is_allocated),
        cmocka_unit_test(keeps_bytes_that_are_on_their_way),
        cmocka_unit_test(keeps_definitions_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
