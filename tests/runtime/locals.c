/* SPDX-License-Identifier: MIT */
/* Local variables that are held back (locals.c), and when they are recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/records/lines.h"
#include "runtime/elide/locals.h"

ser_runtime_world ser_the_world;
ser_word *ser_leaves[SER_LEAVES];
static ser_runtime_world *const world = &ser_the_world;
static ser_thread *me;

void *ser_memory(size_t size)
{
    static _Alignas(64) char memory[1 << 20];
    return size <= sizeof memory ? memset(memory, 0, size) : 0;
}

void ser_lines_rise(ser_thread *thread, uintptr_t address, size_t size)
{
    (void)thread, (void)address, (void)size;
}

void ser_clocks_rise_above_all(ser_thread *thread)
{
    (void)thread;
}

void ser_clocks_tick(ser_thread *thread)
{
    thread->clock++;
}

void ser_shadow_renew(uintptr_t address, size_t size)
{
    (void)address, (void)size;
}

void ser_shadow_own(ser_thread *thread, uintptr_t address, size_t size)
{
    (void)thread, (void)address, (void)size;
}

enum { STACK = 0x10000 };

static int begin(void **state)
{
    (void)state;
    me = aligned_alloc(_Alignof(ser_thread), sizeof *me);
    *me = (ser_thread){.stack_low = STACK, .stack_size = 0x10000};
    me->ring = calloc(1, sizeof *me->ring);
    world->threads[0] = me;
    world->thread_count = 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(me->ring);
    free(me);
    *world = (ser_runtime_world){0};
    return 0;
}

static void local(int place, size_t size, int stack)
{
    ser_local_begin(me, (uintptr_t)STACK + (uintptr_t)place, size, 1,
                    (uintptr_t)STACK + (uintptr_t)stack);
}

static bool record_it(int place)
{
    return ser_local_record(me, (uintptr_t)STACK + (uintptr_t)place);
}

static void expect_told(uint64_t count, int place, size_t size)
{
    assert_int_equal(me->ring->head, count);
    assert_int_equal(me->ring->records[count - 1].object, STACK + place);
    assert_int_equal(me->ring->records[count - 1].value, size);
}

static void test_a_variable_is_told_once(void **state)
{
    (void)state;
    local(0x100, 16, 0x80);
    local(0x110, 4, 0x80);
    assert_int_equal(me->ring->head, 0);
    assert_true(record_it(0x108));
    expect_told(1, 0x100, 16);
    assert_true(record_it(0x100));
    assert_int_equal(me->ring->head, 1);
    assert_true(record_it(0x110));
    expect_told(2, 0x110, 4);
    assert_false(record_it(0x118));
}

enum { TABLE = 0x8000 }; /* so far from each other variables stand at the same place */

static void test_frames_that_were_left_make_room(void **state)
{
    (void)state;
    local(0x100, 8, 0x80);
    local(0x40, 8, 0x20);
    local(0x40 + TABLE, 8, 0x80); /* the stack is shorter now */
    assert_false(record_it(0x40));
    assert_true(record_it(0x40 + TABLE));
    expect_told(1, 0x40 + TABLE, 8);
}

static void test_those_that_live_keep_their_place(void **state)
{
    (void)state;
    local(0x40 + TABLE, 8, 0x80);
    local(0x40, 8, 0x20);
    expect_told(1, 0x40, 8);
    assert_false(record_it(0x40));
    assert_true(record_it(0x40 + TABLE));
    expect_told(2, 0x40 + TABLE, 8);
}

/* As its function finds it when it is called again. */
static bool is_held(int place, size_t size, uint32_t site)
{
    ser_word words[4];
    for (int i = 0; i < 4; i++)
        words[i] = (ser_word){
            .write = me->stamp | SER_WORD_ELIDED | SER_WORD_OUTSIDE | SER_WORD_UNRECORDED,
            .read = me->stamp,
        };
    return ser_local_is_held(me, (uintptr_t)STACK + (uintptr_t)place, size, site, words);
}

static void test_the_same_variable_is_found_again(void **state)
{
    (void)state;
    assert_false(is_held(0x100, 16, 1));
    local(0x100, 16, 0x80);
    assert_true(is_held(0x100, 16, 1));
    assert_false(is_held(0x100, 16, 2));
    assert_false(is_held(0x100, 8, 1));
    local(0x108, 8, 0x80);
    assert_true(is_held(0x100, 16, 1)); /* and is the latest again */
    assert_true(record_it(0x108));
    expect_told(1, 0x100, 16);
    assert_false(is_held(0x100, 16, 1));
}

static void test_others_words_are_not_held(void **state)
{
    (void)state;
    local(0x100, 8, 0x80);
    ser_word word = {.write = me->stamp | SER_WORD_ELIDED | SER_WORD_OUTSIDE | SER_WORD_UNRECORDED,
                     .read = me->stamp ^ 1 << SER_STAMP_THREAD};
    assert_false(ser_local_is_held(me, STACK + 0x100, 8, 1, &word));
    word.read = me->stamp;
    assert_true(ser_local_is_held(me, STACK + 0x100, 8, 1, &word));
    word.write &= ~(uint64_t)SER_WORD_UNRECORDED;
    assert_false(ser_local_is_held(me, STACK + 0x100, 8, 1, &word));
}

/* The frame of the large one was left, and its memory is that of others. */
static void test_memory_belongs_to_the_latest(void **state)
{
    (void)state;
    local(0x100, 32, 0x80);
    local(0x118, 4, 0x40);
    local(0x110, 4, 0x40);
    assert_true(record_it(0x118));
    expect_told(1, 0x118, 4);
    assert_true(record_it(0x110));
    expect_told(2, 0x110, 4);
    assert_false(record_it(0x100));
    local(0x108, 16, 0x40);
    assert_true(record_it(0x110));
    expect_told(3, 0x108, 16);
    assert_true(record_it(0x118));
    assert_int_equal(me->ring->head, 3);
}

/* A variable in a marked block is recorded at once. */
static void test_kept_ones_take_memory_too(void **state)
{
    (void)state;
    local(0x100, 32, 0x80);
    me->keeping = 1;
    local(0x108, 8, 0x40);
    expect_told(1, 0x108, 8);
    assert_false(record_it(0x110));
    assert_int_equal(me->ring->head, 1);
}

int main(void)
{
#define SER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SER_TEST(test_a_variable_is_told_once),
        SER_TEST(test_frames_that_were_left_make_room),
        SER_TEST(test_those_that_live_keep_their_place),
        SER_TEST(test_the_same_variable_is_found_again),
        SER_TEST(test_others_words_are_not_held),
        SER_TEST(test_memory_belongs_to_the_latest),
        SER_TEST(test_kept_ones_take_memory_too),
    };
#undef SER_TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
