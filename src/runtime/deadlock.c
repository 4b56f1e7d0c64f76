/* SPDX-License-Identifier: MIT */
/*
 * A deadlock: every living thread waits for another, two looks in a row, and the
 * process has no threads that we do not know (timers have one). Nothing can change
 * that but a signal handler, which only may post semaphores: those waits do not count.
 * The runtime tells who waits for what; the recorder decides what to do.
 */
#include <fcntl.h>
#include <string.h>

#include "runtime/lines.h"
#include "runtime/objects.h"

static ser_world *const world = &ser_the_world;

ser_thread *ser_object_holder(const ser_object *object)
{
    switch (object->kind) {
    case SER_KIND_MUTEX:
        return ser_thread_by_tid(
            (uint32_t)((const pthread_mutex_t *)object->address)->__data.__owner);
    case SER_KIND_RWLOCK:
        return ser_thread_by_tid(
            (uint32_t)((const pthread_rwlock_t *)object->address)->__data.__cur_writer);
    case SER_KIND_ONCE:
        return object->runner;
    case SER_KIND_THREAD:
        return (ser_thread *)(uintptr_t)object->address;
    default:
        return 0;
    }
}

static void tell_one(ser_thread *me, const ser_thread *thread)
{
    const ser_thread *holder = ser_object_holder(thread->object);
    ser_record record = {.object = (uintptr_t)thread->object->address,
                         .value = holder ? holder->number : UINT64_MAX,
                         .clock = me->clock,
                         .site = thread->waiting_site,
                         .thread = (uint16_t)thread->number,
                         .op = SER_RAW_BLOCKED,
                         .size = (uint8_t)thread->object->kind};
    ser_put_whole(me, &record);
}

/* How many threads the kernel knows; 0 if it does not tell. */
static uint32_t count_threads(void)
{
    static const char key[] = "\nThreads:\t";
    char content[4096] = "";
    long file =
        ser_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/status", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file < 0)
        return 0;
    ser_sys(SYS_read, file, (long)content, sizeof content - 1, 0, 0, 0);
    ser_sys(SYS_close, file, 0, 0, 0, 0, 0);
    const char *at = strstr(content, key);
    uint32_t count = 0;
    for (at = at ? at + sizeof key - 1 : ""; *at >= '0' && *at <= '9'; at++)
        count = count * 10 + (uint32_t)(*at - '0');
    return count;
}

/* One of those that wait stands in as the writer. */
static void tell(ser_thread *writer)
{
    for (uint32_t i = 0; i < world->thread_count; i++) /* after all that happened */
        if (world->threads[i]->clock > writer->clock)
            writer->clock = world->threads[i]->clock;
    ser_lines_tick(writer);
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (world->threads[i]->state == SER_WAITS && world->threads[i]->object)
            tell_one(writer, world->threads[i]);
    ser_record record = {
        .op = SER_RAW_DEADLOCK, .thread = (uint16_t)writer->number, .clock = writer->clock};
    ser_put_whole(writer, &record);
    if (world->parallel)
        ser_lines_push(writer); /* those that wait must not hold the merge back */
    ser_ring_kick();
}

static ser_thread *any_waiting(void)
{
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (world->threads[i]->state == SER_WAITS && world->threads[i]->object)
            return world->threads[i];
    return 0;
}

/* Does the thread wait for what is free? Code that we do not see may have freed it, and
 * the thread will notice. */
static bool will_go_on(const ser_thread *thread)
{
    const ser_wait *how = thread->how;
    return thread->state == SER_WAITS && how->is_free && how->is_free(how->address);
}

static bool all_wait(void)
{
    if (world->living == 0 || world->waiting != world->living ||
        count_threads() != world->living + 1) /* and the watchdog */
        return false;
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (will_go_on(world->threads[i]))
            return false;
    return true;
}

void ser_deadlock_look(void)
{
    static bool before, told;
    if (told || !world->recording ||
        __atomic_load_n(&world->waiting, __ATOMIC_RELAXED) !=
            __atomic_load_n(&world->living, __ATOMIC_RELAXED)) {
        before = false;
        return;
    }
    ser_lock *lock = world->parallel ? &world->objects : &world->lock;
    ser_lock_take(lock);
    bool now = all_wait();
    ser_thread *writer = now && before ? any_waiting() : 0;
    if (writer) {
        tell(writer);
        told = true;
    }
    before = now;
    ser_lock_give(lock);
}
