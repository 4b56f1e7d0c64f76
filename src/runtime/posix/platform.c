/* SPDX-License-Identifier: MIT */
/*
 * The platform of C and C++ programs with POSIX threads.
 */
#include "runtime/core/platform.h"

#include "runtime/access/local.h"
#include "runtime/access/pending.h"
#include "runtime/core/plain_platform.h"
#include "runtime/elide/elision.h"
#include "runtime/posix/cancel.h"
#include "runtime/posix/signals.h"
#include "runtime/posix/start.h"
#include "runtime/posix/thread.h"

static void run_aside(void *(*run)(void *))
{
    ser_run_aside_by(ser_real.pthread_create, (size_t)64 * 1024, run);
}

static ser_thread *holder(const ser_runtime_object *object)
{
    switch (object->kind) {
    case SER_KIND_MUTEX:
        return ser_thread_last_with_tid(
            (uint32_t)((const pthread_mutex_t *)object->address)->__data.__owner);
    case SER_KIND_RWLOCK:
        return ser_thread_by_tid(
            (uint32_t)((const pthread_rwlock_t *)object->address)->__data.__cur_writer);
    default:
        return 0;
    }
}

/* A thread whose creation was not seen, such as one of a library, may unlock anything. */
static bool knows_all(void)
{
    return false;
}

/* One that sleeps in a call may wait for anything. */
static bool goes_on(const ser_thread *holder)
{
    (void)holder;
    return false;
}

static void return_at_once(void)
{
}

const ser_platform ser_the_platform = {
    .now = ser_real_now,
    .run_aside = run_aside,
    .attached = ser_started,
    .meets_thread = ser_thread_meet,
    .thread_made = ser_elision_start,
    .reveals = ser_local_reveal_object,
    .write_pending = ser_pending_write,
    .holder = holder,
    .goes_on = goes_on,
    .rests = return_at_once,
    .is_cancellable = ser_cancel_is_enabled,
    .cancel_point = ser_cancel_point,
    .cancel_at_entry = ser_cancel_at_entry,
    .arrives = ser_signals_arrive,
    .handles_deferred = ser_signals_handle_deferred,
    .has_handlers = ser_has_handlers,
    .may_be_rescued = ser_signal_may_rescue,
    .knows_all = knows_all,
    .looks = ser_cancel_look,
};
