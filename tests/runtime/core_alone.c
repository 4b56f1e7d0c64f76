/* SPDX-License-Identifier: MIT */
/*
 * The core of the runtime without its other parts, as another kind of recorded program would
 * link it: a platform of this test's own, two threads that alternate, and what is in
 * the ring then. If the core needed more than its platform, this would not link.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "contract/handover.h"
#include "runtime/core/plain_platform.h"

static ser_channel *channel;
static int lock; /* only its address matters */

/* --- the platform: plain, with threads of its own --------------------- */

static void become(ser_thread *me)
{
    me->tid = (uint32_t)gettid();
    me->handle = pthread_self();
    ser_self = me;
}

static bool meet_thread(void)
{
    ser_thread *me = ser_thread_create();
    if (!me)
        return false;
    become(me);
    ser_token_admit(me);
    ser_token_await_first(me);
    ser_leave(me);
    return true;
}

static void attached(void)
{
    meet_thread();
}

static ser_thread *holder(const ser_runtime_object *object)
{
    (void)object;
    return NULL;
}

const ser_platform ser_the_platform = {
    SER_PLAIN_PLATFORM,           .attached = attached,
    .meets_thread = meet_thread,  .holder = holder,
    .knows_all = ser_plain_never, .goes_on = ser_plain_stays_asleep,
    .rests = ser_plain_nothing,   .thread_made = ser_plain_keep_all,
};

/* --- the recorded program ------------------------------------------------------- */

static void hand_over_channel(void)
{
    size_t size = ser_channel_size(1);
    int file = memfd_create("channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(file, (off_t)size), 0);
    channel = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_ptr_not_equal(channel, MAP_FAILED);
    channel->magic = SER_CHANNEL_MAGIC;
    channel->version = SER_CHANNEL_VERSION;
    channel->ring_count = 1;
    channel->recorder = getpid();
    channel->recorder_alive = 1;
    assert_true(ser_handover_seal(file));
    assert_true(ser_handover_give(file));
    close(file);
}

static void put_section(void)
{
    ser_thread *me = ser_enter_sync();
    assert_non_null(me);
    ser_put(me, SER_OP_ACQUIRE, &lock, 0);
    ser_put(me, SER_OP_RELEASE, &lock, 0);
    ser_leave_sync(me);
}

static void *run(void *argument)
{
    ser_thread *me = argument;
    become(me);
    ser_token_await_first(me);
    ser_leave(me);
    put_section();
    ser_thread_end(ser_enter_sync());
    return NULL;
}

static void run_another(void)
{
    pthread_t handle;
    ser_thread *me = ser_enter_sync(), *child = ser_thread_create();
    assert_non_null(child);
    ser_put(me, SER_OP_FORK, (void *)(uintptr_t)child->number, 0);
    assert_int_equal(pthread_create(&handle, NULL, run, child), 0);
    ser_token_admit(child);
    while (child->state != SER_ENDED)
        ser_object_wait(me, SER_KIND_THREAD, child, (ser_runtime_wait){0});
    ser_put(me, SER_OP_JOIN, (void *)(uintptr_t)child->number, 0);
    ser_leave_sync(me);
    pthread_join(handle, NULL);
}

static void is_record(uint64_t index, uint16_t thread, int op)
{
    const ser_record *record = &channel->rings[0].records[index];
    assert_int_equal(record->thread, thread);
    assert_int_equal(record->op, op);
}

static void test_two_threads(void **state)
{
    (void)state;
    hand_over_channel();
    ser_attach();
    assert_false(ser_is_off);
    assert_int_equal(channel->owner, getpid());
    put_section();
    run_another();
    ser_write_end(0, 0);

    static const struct {
        uint16_t thread;
        int op;
    } expected[] = {
        {0, SER_OP_ACQUIRE}, {0, SER_OP_RELEASE}, {0, SER_OP_FORK}, {1, SER_OP_ACQUIRE},
        {1, SER_OP_RELEASE}, {0, SER_OP_JOIN},    {0, SER_RAW_END},
    };
    size_t count = sizeof expected / sizeof *expected;
    assert_int_equal(channel->rings[0].head, count);
    for (size_t i = 0; i < count; i++)
        is_record(i, expected[i].thread, expected[i].op);
    assert_int_equal(channel->ended, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
