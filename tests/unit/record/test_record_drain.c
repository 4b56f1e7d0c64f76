/* SPDX-License-Identifier: MIT */
/* Rings are merged in the order of the run, and nothing is taken too early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/vector.h"
#include "record/capture/drain.h"

typedef SER_VECTOR(ser_record) record_list;

static void collect(void *context, const ser_record *records, size_t count)
{
    record_list *list = context;
    for (size_t i = 0; i < count; i++)
        ser_vector_push(list, records[i]);
}

static ser_channel *open_channel(bool parallel)
{
    ser_channel *channel = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(channel != MAP_FAILED);
    channel->parallel = parallel;
    channel->ring_count = SER_CHANNEL_RINGS;
    return channel;
}

static void put(ser_channel *channel, uint32_t ring, ser_record record)
{
    ser_ring *to = &channel->rings[ring];
    to->records[to->head++ % SER_RING_RECORDS] = record;
}

static void put_event(ser_channel *channel, uint32_t thread, uint64_t clock)
{
    put(channel, thread + 1, (ser_record){.op = 1, .thread = (uint16_t)thread, .clock = clock});
}

static void claim(ser_channel *channel, uint32_t thread, uint32_t claimed, uint64_t next)
{
    ser_ring *ring = &channel->rings[thread + 1];
    ring->thread = thread;
    ring->claimed = claimed;
    ring->next_clock = next;
}

static void expect_clocks(ser_channel *channel, bool dead, const char *wanted)
{
    record_list list = {0};
    char text[256] = "";
    uint64_t taken = ser_drain(channel, dead, collect, &list);
    assert_int_equal(taken, list.count);
    for (size_t i = 0; i < list.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u:%u ", list.items[i].thread,
                 (unsigned)list.items[i].clock);
    assert_string_equal(text, wanted);
    ser_vector_free(&list);
}

static void test_serial(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(false);
    record_list list = {0};
    const uint64_t far = UINT64_C(1) << 40; /* the ring went round many times */
    channel->rings[0].head = channel->rings[0].tail = far - 3;
    for (uint64_t i = 0; i < SER_RING_RECORDS; i++)
        put(channel, 0, (ser_record){.object = i});
    assert_int_equal(ser_drain(channel, false, collect, &list), SER_RING_RECORDS);
    for (uint64_t i = 0; i < SER_RING_RECORDS; i++)
        assert_int_equal(list.items[i].object, i);
    assert_int_equal(channel->rings[0].tail, far - 3 + SER_RING_RECORDS);
    assert_int_equal(channel->rings[0].room, 1);
    assert_int_equal(ser_drain(channel, false, collect, &list), 0);
    channel->rings[0].head += SER_RING_RECORDS + 1; /* nonsense is not believed */
    assert_int_equal(ser_drain(channel, false, collect, &list), 0);
    ser_vector_free(&list);
    munmap(channel, sizeof *channel);
}

static void test_parallel_is_sorted(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(true);
    for (uint64_t clock = 1; clock < 10; clock += 2)
        put_event(channel, 0, clock);
    for (uint64_t clock = 2; clock < 10; clock += 3)
        put_event(channel, 1, clock);
    put_event(channel, 2, 5);
    claim(channel, 0, 1, 10);
    claim(channel, 1, 1, 9);
    claim(channel, 2, 2, 6);
    expect_clocks(channel, false, "0:1 1:2 0:3 0:5 1:5 2:5 0:7 1:8 0:9 ");
    munmap(channel, sizeof *channel);
}

static void test_a_thread_that_may_still_say_something_holds_back(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(true);
    put_event(channel, 1, 7);
    put_event(channel, 1, 9);
    claim(channel, 0, 1, 7); /* (7, thread 0) comes before (7, thread 1) */
    claim(channel, 1, 1, 10);
    expect_clocks(channel, false, "");
    claim(channel, 0, 1, 8);
    expect_clocks(channel, false, "1:7 ");
    expect_clocks(channel, false, "");
    claim(channel, 0, 2, 8);
    expect_clocks(channel, false, "1:9 ");
    put_event(channel, 0, 11);
    put_event(channel, 1, 10);
    claim(channel, 0, 1, 0);
    expect_clocks(channel, false, "");
    expect_clocks(channel, true, "1:10 0:11 ");
    munmap(channel, sizeof *channel);
}

/* In a report of a deadlock a thread records others. */
static void test_equal_places(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(true);
    put_event(channel, 1, 13);
    put(channel, 3, (ser_record){.op = SER_RAW_BLOCKED, .thread = 1, .clock = 13});
    put(channel, 3, (ser_record){.op = SER_RAW_BLOCKED, .thread = 2, .clock = 13});
    claim(channel, 0, 2, 0);
    claim(channel, 1, 1, 14);
    claim(channel, 2, 1, 14);
    expect_clocks(channel, false, "1:13 1:13 2:13 ");
    munmap(channel, sizeof *channel);
}

static void test_what_belongs_together_stays_together(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(true);
    record_list list = {0};
    put(channel, 0, (ser_record){.op = SER_RAW_TEXT, .object = 1, .value = 40});
    put(channel, 0, (ser_record){0});
    claim(channel, 0, 1, 9);
    claim(channel, 1, 1, 9);
    put(channel, 1, (ser_record){.op = 2, .size = 16, .clock = 5});
    put(channel, 1, (ser_record){.op = SER_RAW_CHUNK, .clock = 5});
    put(channel, 2, (ser_record){.op = 1, .thread = 1, .clock = 4});
    put(channel, 2, (ser_record){.op = 1, .thread = 1, .clock = 5});
    assert_int_equal(ser_drain(channel, false, collect, &list), 4); /* the text is not whole */
    assert_int_equal(list.items[0].clock, 4);
    assert_int_equal(list.items[2].op, SER_RAW_CHUNK);
    assert_int_equal(list.items[3].thread, 1);
    put(channel, 0, (ser_record){0});
    assert_int_equal(ser_drain(channel, false, collect, &list), 3);
    ser_vector_free(&list);
    munmap(channel, sizeof *channel);
}

static void collect_sizes(void *context, const ser_record *records, size_t count)
{
    char *text = context;
    sprintf(text + strlen(text), "%s%zu ", records->op == SER_RAW_THREAD_LIMIT ? "end:" : "",
            count);
}

/* So that the code that takes the records can end there. */
static void test_the_end_of_a_recording_comes_alone(void **state)
{
    (void)state;
    ser_channel *channel = open_channel(true);
    char sizes[64] = "";
    for (uint64_t clock = 1; clock < 10; clock++)
        put_event(channel, 0, clock);
    put(channel, 2, (ser_record){.op = SER_RAW_THREAD_LIMIT, .thread = SER_THREADS, .clock = 5});
    claim(channel, 0, 1, 10);
    claim(channel, 1, 2, 6);
    assert_int_equal(ser_drain(channel, false, collect_sizes, sizes), 10);
    assert_string_equal(sizes, "5 end:1 4 ");
    munmap(channel, sizeof *channel);
}

/* As many as there can be, with clocks that go round them. */
static void test_many_rings(void **state)
{
    (void)state;
    enum { TIMES = 3, LANES = SER_CHANNEL_RINGS - 1 };
    ser_channel *channel = open_channel(true);
    record_list list = {0};
    for (uint32_t i = 0; i < TIMES * LANES; i++)
        put_event(channel, i * 7 % LANES, i + 1);
    for (uint32_t i = 0; i < LANES; i++)
        claim(channel, i, 1, TIMES * LANES + 1);
    assert_int_equal(ser_drain(channel, false, collect, &list), TIMES * LANES);
    for (uint32_t i = 0; i < TIMES * LANES; i++)
        assert_int_equal(list.items[i].clock, i + 1);
    ser_vector_free(&list);
    munmap(channel, sizeof *channel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serial),
        cmocka_unit_test(test_parallel_is_sorted),
        cmocka_unit_test(test_a_thread_that_may_still_say_something_holds_back),
        cmocka_unit_test(test_equal_places),
        cmocka_unit_test(test_what_belongs_together_stays_together),
        cmocka_unit_test(test_the_end_of_a_recording_comes_alone),
        cmocka_unit_test(test_many_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
