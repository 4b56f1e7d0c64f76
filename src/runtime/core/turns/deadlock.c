/* SPDX-License-Identifier: MIT */
/*
 * A deadlock: every living thread waits for another in two checks in a row, and the process has no
 * threads that we do not know (timers have one), or those do not matter. Nothing can change that
 * but a signal handler. If one may come by a timer, a child or another process it is no deadlock.
 * If another process would have to send the signal, its handler might still post a semaphore: waits
 * for semaphores do not count. And a signal that was sent already may end a wait: its thread does
 * not sleep any more, as the kernel says. The runtime records which thread waits for what; the
 * recorder decides what to do.
 *
 * Less often the kernel is asked about threads outside of the runtime. If they, too, sleep for ever
 * (asleep.h), and the same threads did so the last time and none has run since, and no signal
 * handler could wake one, that is a deadlock as well. Short-lived threads that sleep for a moment
 * in locks of the C library, or in those of the runtime while it looks, are others each time.
 */
#include <fcntl.h>
#include <string.h>

#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/asleep.h"
#include "runtime/core/turns/objects.h"

static ser_runtime_world *const world = &ser_the_world;

ser_thread *ser_object_holder(const ser_runtime_object *object)
{
    switch (object->kind) {
    case SER_KIND_ONCE:
    case SER_KIND_OWNED:
        return object->runner;
    case SER_KIND_THREAD:
        return (ser_thread *)(uintptr_t)object->address;
    default:
        return ser_the_platform.holder(object);
    }
}

static void report_one(ser_thread *me, const ser_thread *thread)
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

/* A thread that sleeps where the runtime does not see it. */
static void report_asleep(ser_thread *me, const ser_thread *thread)
{
    uint64_t word;
    if (!ser_sleeps_for_ever(thread->tid, &word))
        return;
    ser_record record = {.object = word,
                         .value = UINT64_MAX,
                         .clock = me->clock,
                         .site = word == thread->kernel_word ? thread->waiting_site : 0,
                         .thread = (uint16_t)thread->number,
                         .op = SER_RAW_BLOCKED,
                         .size = SER_BLOCKED_IN_KERNEL};
    ser_put_whole(me, &record);
}

/* How many threads the kernel has; 0 if it does not say. */
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

/* The records are written in the name of one of the waiting threads. */
static void report(ser_thread *writer)
{
    for (uint32_t i = 0; i < world->thread_count; i++) /* after all that happened */
        if (world->threads[i]->clock > writer->clock)
            writer->clock = world->threads[i]->clock;
    ser_clocks_tick(writer);
    for (uint32_t i = 0; i < world->thread_count; i++) {
        if (world->threads[i]->state == SER_WAITS && world->threads[i]->object)
            report_one(writer, world->threads[i]);
        else if (world->threads[i]->state != SER_ENDED)
            report_asleep(writer, world->threads[i]);
    }
    ser_record record = {
        .op = SER_RAW_DEADLOCK, .thread = (uint16_t)writer->number, .clock = writer->clock};
    ser_put_whole(writer, &record);
    if (world->parallel)
        ser_clocks_push(writer); /* those that wait must not hold the merge back */
    ser_ring_kick();
}

static ser_thread *any_living(void)
{
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (world->threads[i]->state != SER_ENDED)
            return world->threads[i];
    return 0;
}

/* Does the thread wait for what is free? Code that we do not see may have freed it, and
 * the thread will notice. */
static bool will_go_on(const ser_thread *thread)
{
    const ser_runtime_wait *how = &thread->how;
    return thread->state == SER_WAITS && how->is_free && how->is_free(how->address);
}

/* Is the thread in a signal handler, or about to enter one? */
static bool is_called_away(const ser_thread *thread)
{
    return thread->state == SER_WAITS && !ser_sleeps_on(thread->tid, &thread->wake);
}

static bool all_wait(void)
{
    if (world->living == 0 || world->waiting != world->living ||
        (!ser_the_platform.knows_all() &&
         count_threads() != world->living + 1) || /* and the watchdog */
        ser_the_platform.may_be_rescued())
        return false;
    bool handlers = ser_the_platform.has_handlers();
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (will_go_on(world->threads[i]) || (handlers && is_called_away(world->threads[i])))
            return false;
    return true;
}

/* --- as the kernel sees it ---------------------------------------------------- */

typedef struct kernel_look {
    uint64_t who;     /* a digest: which threads there are, and how far each has come */
    uint32_t threads; /* looked at */
} kernel_look;

static uint64_t mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * 0x9E3779B97F4A7C15;
    return digest ^ (digest >> 29);
}

static bool is_blocked(uint32_t tid, void *context)
{
    kernel_look *look = context;
    const ser_thread *thread = ser_thread_by_tid(tid);
    uint64_t word;
    bool waits = thread && thread->state == SER_WAITS; /* it wakes now and then, to look */
    bool blocked;
    if (waits)
        blocked = !thread->timed && !will_go_on(thread);
    else if (thread && thread->state == SER_READY)
        blocked = false; /* it waits for us, not for the program */
    else
        blocked = ser_sleeps_for_ever(tid, &word) || ser_task_is_over(tid);
    look->threads++;
    look->who = mix(mix(look->who, tid), thread ? thread->number + 1 : 0);
    /* Counted after it was seen asleep: the same count next time means the same sleep. */
    look->who = mix(look->who, waits ? thread->stamp : ser_task_sleeps(tid));
    return blocked;
}

/* Looks again only after a time that is long compared with that of a look. */
static bool all_are_blocked(uint64_t *until_next)
{
    enum { PAUSE_MS = 400, MS_PER_THREAD = 5 };
    static kernel_look before;
    static bool were_blocked;
    kernel_look now = {0};
    bool blocked =
        world->living > 0 && !ser_the_platform.has_handlers() && ser_tasks_visit(is_blocked, &now);
    bool same = were_blocked && now.who == before.who && now.threads == before.threads;
    before = now;
    were_blocked = blocked;
    *until_next = PAUSE_MS + MS_PER_THREAD * (uint64_t)now.threads;
    return blocked && same;
}

/* --- now and then ----------------------------------------------------------------- */

static bool may_all_wait(void)
{
    return __atomic_load_n(&world->waiting, __ATOMIC_RELAXED) ==
           __atomic_load_n(&world->living, __ATOMIC_RELAXED);
}

void ser_deadlock_look(uint64_t milliseconds)
{
    static bool before, reported;
    static uint64_t waited, until_next = 400;
    waited += milliseconds;
    bool ask_kernel = waited >= until_next;
    if (reported || !world->recording || (!may_all_wait() && !ask_kernel)) {
        before = false;
        return;
    }
    ser_lock *lock = world->parallel ? &world->objects : &world->lock;
    ser_lock_take(lock);
    bool now = may_all_wait() && all_wait();
    bool found = now && before;
    if (!found && ask_kernel) {
        found = all_are_blocked(&until_next);
        waited = 0;
    }
    ser_thread *writer = found ? any_living() : 0;
    if (writer) {
        ser_log(RUNTIME, INFO, "deadlock: %u threads live, %u wait for each other", world->living,
                world->waiting);
        report(writer);
        reported = true;
    }
    before = now;
    ser_lock_give(lock);
}
