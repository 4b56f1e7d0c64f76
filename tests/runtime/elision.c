/* SPDX-License-Identifier: MIT */
/* What elision.c elides, and what it records instead: without threads, scheduler and recorder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/records/lines.h"
#include "runtime/elide/happens_before.h"
#include "runtime/elide/locals.h"
#include "runtime/elide/owners.h"

ser_runtime_world ser_the_world;
static ser_runtime_world *const world = &ser_the_world;
static ser_ring *ring;
static uint64_t seen; /* records that were looked at */
static _Alignas(64) char memory[64];

void ser_clocks_catch_up(ser_thread *me)
{
    (void)me;
}

void ser_clocks_tick(ser_thread *me)
{
    me->clock++;
}

void ser_lines_lock(ser_thread *me, const void *address, size_t size)
{
    (void)address, (void)size;
    me->clock++;
}

void ser_lines_unlock(ser_thread *me, const void *address, size_t size)
{
    (void)me, (void)address, (void)size;
}

bool ser_local_record(ser_thread *me, uintptr_t word)
{
    (void)me, (void)word;
    return true;
}

void ser_owners_lock(ser_thread *me, const void *address, size_t size, bool writes)
{
    (void)address, (void)size, (void)writes;
    me->clock++;
}

void ser_ring_await_room(ser_thread *me)
{
    (void)me;
    fail();
}

/* --- threads and what they do ----------------------------------------------- */

enum { A, B, C, THREADS };

static int begin(void **state)
{
    (void)state;
    ring = calloc(1, sizeof *ring);
    world->recording = true;
    world->thread_count = THREADS;
    for (uint32_t i = 0; i < THREADS; i++) {
        ser_thread *thread = aligned_alloc(_Alignof(ser_thread), sizeof *thread);
        memset(thread, 0, sizeof *thread);
        thread->number = i;
        thread->tag = (uint64_t)i << 32;
        thread->ring = ring;
        world->threads[i] = thread;
        ser_elision_start(thread);
        ser_keeping_look(thread, 0);
    }
    seen = 0;
    ser_shadow_renew((uintptr_t)memory, sizeof memory);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < THREADS; i++)
        free(world->threads[i]);
    free(ring);
    *world = (ser_runtime_world){0};
    return 0;
}

/* True: it was elided. */
static bool leaves_out(int thread, ser_op op, int offset, size_t size)
{
    ser_thread *me = world->threads[thread];
    ser_touch touch = {.address = memory + offset, .size = size, .writes = op == SER_OP_WRITE};
    ser_touch_begin(me, &touch);
    if (!touch.elided) {
        ser_reveal(me, &touch, op);
        ser_put_record(me, (uintptr_t)touch.part, 0, ser_tag(op, (uint32_t)touch.part_size, 0));
    }
    ser_touch_end(me, &touch);
    return touch.elided;
}

/* The same in a marked block, where all is recorded. */
static void record(int thread, ser_op op, int offset, size_t size)
{
    world->threads[thread]->keeping++;
    assert_false(leaves_out(thread, op, offset, size));
    world->threads[thread]->keeping--;
}

/* How many records of a kind came since the last look. */
static int count_of(int op)
{
    int count = 0;
    for (; seen < ring->head; seen++)
        count += ring->records[seen].op == op;
    return count;
}

/* --- tests -------------------------------------------------------------------- */

static void test_own_memory_is_elided(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    assert_true(leaves_out(A, SER_OP_READ, 0, 4));
    assert_true(leaves_out(A, SER_OP_WRITE, 4, 8));
    assert_int_equal(ring->head, 0);
}

static void test_who_comes_later_stays_behind(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    assert_false(leaves_out(B, SER_OP_READ, 0, 8));
    assert_int_equal(ring->records[0].op, SER_RAW_AFTER);
    assert_int_equal(ring->records[0].object, A);
    assert_int_equal(ring->records[0].value, 1);
    assert_int_equal(count_of(SER_RAW_RENEW), 1);
    assert_false(leaves_out(B, SER_OP_WRITE, 0, 8)); /* it is kept, and B is behind already */
    assert_int_equal(count_of(SER_RAW_AFTER) + count_of(SER_RAW_RENEW), 0);
    assert_false(leaves_out(A, SER_OP_READ, 0, 8));
}

static void test_what_a_thread_has_joined_is_known(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    ser_learn_all(world->threads[B], world->threads[A]);
    assert_true(leaves_out(B, SER_OP_WRITE, 0, 8));
    ser_learn_all(world->threads[C], world->threads[B]);
    assert_true(leaves_out(C, SER_OP_WRITE, 0, 8));
    assert_false(leaves_out(A, SER_OP_READ, 0, 8));
}

static void test_a_read_tells_of_the_writer(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    record(A, SER_OP_WRITE, 8, 4);
    record(B, SER_OP_READ, 8, 8);
    assert_true(leaves_out(B, SER_OP_WRITE, 0, 8));
}

static void test_a_read_of_neighbours_does_not(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    record(A, SER_OP_WRITE, 8, 4);
    record(B, SER_OP_READ, 12, 4);
    assert_false(leaves_out(B, SER_OP_WRITE, 0, 8));
    record(C, SER_OP_READ, 11, 1); /* the last byte of what was written */
    assert_true(leaves_out(C, SER_OP_READ, 16, 8));
    record(A, SER_OP_WRITE, 27, 3); /* no half, quarter or byte: nobody learns from it */
    assert_true(leaves_out(A, SER_OP_WRITE, 32, 8));
    record(B, SER_OP_READ, 28, 1);
    assert_false(leaves_out(B, SER_OP_WRITE, 32, 8));
}

static void test_reads_may_be_shared(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_READ, 0, 8));
    assert_true(leaves_out(B, SER_OP_READ, 0, 8));
    assert_false(leaves_out(C, SER_OP_WRITE, 0, 8));
    assert_int_equal(count_of(SER_RAW_AFTER), 2); /* behind both */
    assert_false(leaves_out(C, SER_OP_WRITE, 0, 8));
    assert_int_equal(count_of(SER_RAW_AFTER), 0); /* once */
}

/* A's operations up to its sample happen before C, but A has read the word after that: at a later
 * clock, which is the same time. */
static void test_parallel_times_are_coarse(void **state)
{
    (void)state;
    world->parallel = true;
    world->threads[A]->clock = world->threads[B]->clock = 640;
    assert_true(leaves_out(A, SER_OP_WRITE, 32, 8));
    ser_sample_operations(world->threads[A]);
    ser_learn_all(world->threads[C], world->threads[A]);
    ser_learn_all(world->threads[C], world->threads[B]);
    assert_true(leaves_out(A, SER_OP_READ, 0, 8));
    world->threads[B]->clock = world->threads[A]->clock;
    assert_true(leaves_out(B, SER_OP_READ, 0, 8));
    ser_learn_all(world->threads[C], world->threads[B]);
    assert_false(leaves_out(C, SER_OP_WRITE, 0, 8));
}

static void test_new_memory_is_nobodys(void **state)
{
    (void)state;
    record(A, SER_OP_WRITE, 0, 8);
    ser_shadow_renew((uintptr_t)memory, 8);
    assert_true(leaves_out(B, SER_OP_WRITE, 0, 8));
    assert_true(leaves_out(A, SER_OP_WRITE, 8, 8));
    ser_shadow_renew((uintptr_t)memory + 8, 8);
    assert_true(leaves_out(B, SER_OP_WRITE, 8, 8));
}

/* Nor is it open to a thread that has no lines of its own, whose tag is 0. */
static void test_lines_of_nobody_are_not_open(void **state)
{
    (void)state;
    uint16_t *line = ser_word_made((uintptr_t)memory) ? ser_owner_at((uintptr_t)memory) : NULL;
    assert_non_null(line);
    *line = SER_LINE_NOBODYS;
    world->threads[A]->owner_tag = 0;
    world->threads[B]->owner_tag = 1 + B;
    assert_false(ser_line_is_open(world->threads[A], (uintptr_t)memory, true));
    *line = 1 + B;
    assert_false(ser_line_is_open(world->threads[A], (uintptr_t)memory, true));
    assert_true(ser_line_is_open(world->threads[B], (uintptr_t)memory, true));
    *line = SER_LINE_COMMON;
    assert_true(ser_line_is_open(world->threads[A], (uintptr_t)memory, true));
    *line = SER_LINE_NOBODYS;
}

static void test_threads_tell_what_they_owe(void **state)
{
    (void)state;
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    assert_true(leaves_out(A, SER_OP_WRITE, 0, 8));
    record(A, SER_OP_WRITE, 8, 8);
    assert_int_equal(ring->records[0].op, SER_OP_SKIP);
    assert_int_equal(ring->records[0].value, 2);
    ser_record_elided(world->threads[A]);
    assert_int_equal(count_of(SER_OP_SKIP), 1);
    ser_record_rest(world->threads[A]);
    assert_int_equal(count_of(SER_RAW_AFTER), 1);
}

/* Calls record themselves, also those that were elided until now; a return like them. */
static void test_calls_tell_what_was_before(void **state)
{
    (void)state;
    ser_thread *me = world->threads[A];
    ser_call calls[] = {{.stamp = me->stamp + 3 * SER_STAMP_ONE, .site = 11},
                        {.stamp = me->stamp + 5 * SER_STAMP_ONE, .site = 12}};
    me->calls = calls;
    me->call_room = 2;
    me->depth = 2;
    me->stamp += 9 * SER_STAMP_ONE; /* three, a call, one, a call, three */
    assert_int_equal(ser_record_calls(me), 3);
    assert_int_equal(ring->head, 2);
    assert_int_equal(ring->records[0].op, SER_OP_CALL);
    assert_int_equal(ring->records[0].object, 11);
    assert_int_equal(ring->records[0].value, 3);
    assert_int_equal(ring->records[1].object, 12);
    assert_int_equal(ring->records[1].value, 1);
    assert_false(ser_owes(me));
    assert_int_equal(ser_record_calls(me), 0);
    assert_int_equal(ring->head, 2);
}

int main(void)
{
#define SER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SER_TEST(test_own_memory_is_elided),
        SER_TEST(test_who_comes_later_stays_behind),
        SER_TEST(test_what_a_thread_has_joined_is_known),
        SER_TEST(test_a_read_tells_of_the_writer),
        SER_TEST(test_a_read_of_neighbours_does_not),
        SER_TEST(test_reads_may_be_shared),
        SER_TEST(test_parallel_times_are_coarse),
        SER_TEST(test_new_memory_is_nobodys),
        SER_TEST(test_lines_of_nobody_are_not_open),
        SER_TEST(test_threads_tell_what_they_owe),
        SER_TEST(test_calls_tell_what_was_before),
    };
#undef SER_TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
