/* SPDX-License-Identifier: MIT */
/* Who owns a line of memory, how it changes hands, and the clocks of new lives: mostly without
 * threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/records/lines.h"
#include "runtime/elide/frozen.h"
#include "runtime/elide/happens_before.h"
#include "runtime/elide/owners.h"

enum { A, B, C, D, THREADS, LINE = 64, LINES = 64, TIMES = 6 };

ser_runtime_world ser_the_world;
static ser_runtime_world *const world = &ser_the_world;
static _Alignas(LINE *LINES) char page[LINE * LINES];

void ser_ring_kick(void)
{
}

void ser_ring_await_room(ser_thread *me)
{
    (void)me;
}

void ser_stop_recording(void)
{
}

void ser_now(clockid_t clock, struct timespec *now)
{
    clock_gettime(clock, now);
}

static int begin(void **state)
{
    (void)state;
    world->parallel = true;
    world->thread_count = THREADS;
    for (uint32_t i = 0; i < THREADS; i++) {
        world->threads[i] = aligned_alloc(_Alignof(ser_thread), sizeof(ser_thread));
        memset(world->threads[i], 0, sizeof(ser_thread));
        world->threads[i]->number = i;
        world->threads[i]->owner_tag = (uint16_t)(i + 1);
        world->threads[i]->stamp = (uint64_t)i << SER_STAMP_THREAD;
    }
    if (!ser_word_made((uintptr_t)page))
        return 1;
    memset(ser_owner_at((uintptr_t)page), 0, LINES * sizeof(uint16_t)); /* as if never used */
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < THREADS; i++)
        free(world->threads[i]);
    *world = (ser_runtime_world){0};
    return 0;
}

/* An access that locks its lines. */
static void access_at(int thread, int offset, size_t size)
{
    ser_owners_lock(world->threads[thread], page + offset, size, true);
    ser_lines_unlock(world->threads[thread], page + offset, size);
}

static bool owns(int thread, int line)
{
    return ser_lines_are_own(world->threads[thread], (uintptr_t)page + LINE * line, LINE);
}

static bool is_common(int line)
{
    return (*ser_owner_at((uintptr_t)page + LINE * line) & SER_LINE_OWNER) == SER_LINE_COMMON;
}

static void test_the_first_one_owns_a_line(void **state)
{
    (void)state;
    access_at(A, 0, 8);
    assert_true(owns(A, 0));
    assert_false(owns(A, 1));
    access_at(B, 2 * LINE - 4, 8);
    assert_true(owns(B, 1));
    assert_true(owns(B, 2));
    assert_true(ser_lines_are_own(world->threads[B], (uintptr_t)page + 2 * LINE - 4, 8));
    assert_false(ser_lines_are_own(world->threads[B], (uintptr_t)page + LINE - 4, 8));
}

static void test_the_next_one_takes_it_with_a_later_clock(void **state)
{
    (void)state;
    access_at(A, 0, 8);
    world->threads[A]->clock = 100; /* by accesses elsewhere */
    access_at(B, 8, 8);
    assert_true(owns(B, 0));
    assert_true(world->threads[B]->clock > 100);
}

static void test_a_line_that_goes_round_is_common_in_the_end(void **state)
{
    (void)state;
    access_at(A, 0, 8);
    for (int i = 1; i < TIMES; i++) {
        access_at(i % 2 ? B : A, 0, 8);
        assert_true(owns(i % 2 ? B : A, 0));
    }
    access_at(C, 0, 8);
    assert_true(is_common(0));
    ser_shadow_renew((uintptr_t)page, LINE); /* and stays so in its next life */
    access_at(A, 0, 8);
    assert_true(is_common(0));
}

static void test_a_buffer_is_taken_in_few_steps(void **state)
{
    (void)state;
    int steps = 0;
    for (int i = 0; i < LINES; i++)
        access_at(A, i * LINE, 8);
    for (int i = 0; i < LINES; i++) {
        steps += !owns(B, i);
        access_at(B, i * LINE, 8);
    }
    assert_true(steps < 10);
}

static void test_new_memory_is_nobodys(void **state)
{
    (void)state;
    access_at(A, 0, 8);
    access_at(A, LINE, 8);
    ser_shadow_renew((uintptr_t)page, LINE + 8); /* only the first line as a whole */
    assert_false(owns(A, 0));
    assert_true(owns(A, 1));
    access_at(B, 0, 8);
    assert_true(owns(B, 0));
}

static void test_a_common_line_settles_with_who_uses_it_alone(void **state)
{
    (void)state;
    ser_word *word = ser_word_at((uintptr_t)page);
    for (int i = 0; i <= TIMES; i++)
        access_at(i % 2, 0, 8);
    word[0] = (ser_word){.write = world->threads[A]->stamp + SER_STAMP_ONE, .read = 0};
    word[7] = (ser_word){.read = world->threads[B]->stamp + SER_STAMP_ONE};
    ser_owners_settle(world->threads[A], (uintptr_t)page);
    assert_true(is_common(0));
    word[7].read = world->threads[A]->stamp + SER_STAMP_ONE;
    ser_owners_settle(world->threads[B], (uintptr_t)page);
    assert_true(is_common(0));
    ser_owners_settle(world->threads[A], (uintptr_t)page);
    assert_true(owns(A, 0));
    access_at(B, 0, 8);
    assert_true(is_common(0));
    word[0].write |= SER_WORD_KEPT;
    ser_owners_settle(world->threads[A], (uintptr_t)page);
    assert_true(is_common(0));
    memset(word, 0, LINE / 8 * sizeof *word);
}

static bool is_frozen(int line)
{
    return ser_lines_are_frozen((uintptr_t)page + LINE * line, LINE);
}

static void test_frozen_lines_can_be_read_by_all(void **state)
{
    (void)state;
    ser_freeze((uintptr_t)page + 8, 3 * LINE); /* two as a whole */
    assert_false(is_frozen(0));
    assert_true(is_frozen(1));
    assert_true(is_frozen(2));
    assert_false(is_frozen(3));
    ser_owners_lock(world->threads[A], page + LINE, 8, false); /* a read that is recorded */
    ser_lines_unlock(world->threads[A], page + LINE, 8);
    assert_true(is_frozen(1));
    ser_unfreeze((uintptr_t)page, sizeof page);
    assert_false(is_frozen(1));
    access_at(B, LINE, 8);
    assert_true(owns(B, 1));
}

static void test_a_write_comes_after_all_reads_of_frozen_lines(void **state)
{
    (void)state;
    ser_freeze((uintptr_t)page, 2 * LINE);
    world->threads[A]->clock = 700;
    world->threads[B]->stamp += SER_STAMP_ONE; /* a read */
    access_at(C, 0, 8);
    assert_true(world->threads[C]->clock > 700);
    assert_true(is_common(0));
    assert_true(is_common(1)); /* its page is thawed as a whole */
    ser_word *word = ser_word_at((uintptr_t)page + LINE);
    assert_true(word->write & SER_WORD_ELIDED);
    assert_false(ser_happens_before(world->threads[C], word->read));
    world->threads[C]->known[B] = 1;
    world->threads[C]->learned++;
    assert_true(ser_happens_before(world->threads[C], word->read));
    assert_false(word->write & SER_WORD_KEPT); /* and begins a new life */
    memset(ser_word_at((uintptr_t)page), 0, 2 * LINE / 8 * sizeof *word);
}

static void *access_line_0(void *thread)
{
    ser_owners_lock(thread, page, 8, true);
    ser_lines_unlock(thread, page, 8);
    return 0;
}

static void *access_line_1(void *thread)
{
    ser_owners_lock(thread, page + LINE, 8, true);
    ser_lines_unlock(thread, page + LINE, 8);
    return 0;
}

/* C moves lines 0 and 1 away from A, and waits for it. Meanwhile line 1 is new, and B's; D, which
 * has the same sign as C, moves it, too. It must not be common before B is gone. */
static void test_moves_to_threads_without_tags_are_not_mistaken(void **state)
{
    (void)state;
    enum {
        LONG_ENOUGH = 20000
    }; /* microseconds, for D to come where it waits; nothing fails if it does not */
    pthread_t c, d;
    ser_thread **threads = world->threads;
    threads[C]->owner_tag = threads[D]->owner_tag = 0;
    for (int i = 0; i < 4; i++)
        access_at(B, i * LINE, 8);
    for (int i = 0; i < 4; i++)
        access_at(A, i * LINE, 8); /* taken: so the next ones take several */
    threads[A]->inside = threads[B]->inside = SER_ALONE;
    assert_int_equal(pthread_create(&c, 0, access_line_0, threads[C]), 0);
    while (owns(A, 1))
        usleep(1000);
    ser_shadow_renew((uintptr_t)page + LINE, LINE);
    access_at(B, LINE, 8);
    assert_int_equal(pthread_create(&d, 0, access_line_1, threads[D]), 0);
    usleep(LONG_ENOUGH);
    __atomic_store_n(&threads[A]->inside, SER_AWAY, __ATOMIC_RELEASE);
    pthread_join(c, 0);
    assert_true(is_common(0));
    assert_false(is_common(1));
    __atomic_store_n(&threads[B]->inside, SER_AWAY, __ATOMIC_RELEASE);
    pthread_join(d, 0);
    assert_true(is_common(1));
}

/* What was recorded stays in conflict with what comes; and where all was, nothing is late. */
static void test_reads_of_frozen_lines_that_are_recorded_count(void **state)
{
    (void)state;
    ser_word *word = ser_word_at((uintptr_t)page);
    word[1].read = world->threads[A]->stamp + SER_STAMP_ONE;
    ser_freeze((uintptr_t)page, 2 * LINE);
    access_at(C, 0, 8);
    assert_true(is_common(0));
    assert_int_equal(word[0].write & SER_WORD_FLAGS, 0);
    ser_freeze((uintptr_t)page, 2 * LINE);
    world->threads[B]->stamp += SER_STAMP_ONE;
    access_at(C, 0, 8);
    assert_true(word[1].write & SER_WORD_KEPT);
    assert_false(word[2].write & SER_WORD_KEPT);
    assert_true(word[2].write & SER_WORD_ELIDED);
    memset(word, 0, 2 * LINE / 8 * sizeof *word);
}

static void test_a_write_awaits_who_reads_frozen_lines(void **state)
{
    (void)state;
    pthread_t writer;
    ser_thread *reader = world->threads[A];
    ser_freeze((uintptr_t)page, LINE);
    reader->inside = SER_ALONE;
    assert_int_equal(pthread_create(&writer, 0, access_line_0, world->threads[B]), 0);
    while (is_frozen(0))
        usleep(1000);
    assert_false(is_common(0));
    __atomic_store_n(&reader->inside, SER_AWAY, __ATOMIC_RELEASE);
    pthread_join(writer, 0);
    assert_true(is_common(0));
    memset(ser_word_at((uintptr_t)page), 0, LINE / 8 * sizeof(ser_word));
}

/* Also if the accesses before were in another line than its first. */
static void test_new_lives_are_later_than_all_before(void **state)
{
    (void)state;
    world->threads[A]->clock = 500;
    access_at(A, 3 * LINE, 8);
    ser_lines_rise(world->threads[B], (uintptr_t)page, 4 * LINE);
    assert_true(world->threads[B]->clock >= world->threads[A]->clock);
    ser_lines_rise(world->threads[C], (uintptr_t)page, sizeof page * 2);
    assert_true(world->threads[C]->clock > world->threads[A]->clock);
}

/* A block may be cut out of one that was freed, whose end stands at its first line. */
static void test_new_lives_are_later_than_the_end_of_those_before(void **state)
{
    (void)state;
    world->threads[A]->clock = 1000;
    ser_lines_retire(world->threads[A], (uintptr_t)page, 4 * LINE);
    ser_lines_rise(world->threads[B], (uintptr_t)page + 3 * LINE, 8);
    assert_true(world->threads[B]->clock >= 1000);
    world->threads[A]->clock = 2000;
    ser_lines_retire(world->threads[A], (uintptr_t)page, sizeof page * 2);
    ser_lines_rise(world->threads[C], (uintptr_t)page + sizeof page, 8);
    assert_true(world->threads[C]->clock >= 2000);
}

int main(void)
{
#define SER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        SER_TEST(test_the_first_one_owns_a_line),
        SER_TEST(test_the_next_one_takes_it_with_a_later_clock),
        SER_TEST(test_a_line_that_goes_round_is_common_in_the_end),
        SER_TEST(test_a_buffer_is_taken_in_few_steps),
        SER_TEST(test_new_memory_is_nobodys),
        SER_TEST(test_a_common_line_settles_with_who_uses_it_alone),
        SER_TEST(test_frozen_lines_can_be_read_by_all),
        SER_TEST(test_a_write_comes_after_all_reads_of_frozen_lines),
        SER_TEST(test_reads_of_frozen_lines_that_are_recorded_count),
        SER_TEST(test_a_write_awaits_who_reads_frozen_lines),
        SER_TEST(test_moves_to_threads_without_tags_are_not_mistaken),
        SER_TEST(test_new_lives_are_later_than_all_before),
        SER_TEST(test_new_lives_are_later_than_the_end_of_those_before),
    };
#undef SER_TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
