/* SPDX-License-Identifier: MIT */
/*
 * The thread looks every few milliseconds, until the solver is done.
 * An interrupt that comes while a solver is between two phases may have no effect, so
 * it is repeated.
 */
#include "predict/smt/solver/watch.h"

#include <time.h>

enum { LOOK_NANOSECONDS = 5000000, NANOSECONDS_PER_SECOND = 1000000000 };

static void wait_a_little(ser_solver_watch *watch)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NANOSECONDS;
    until.tv_sec += until.tv_nsec / NANOSECONDS_PER_SECOND;
    until.tv_nsec %= NANOSECONDS_PER_SECOND;
    pthread_cond_timedwait(&watch->ended, &watch->mutex, &until);
}

static bool must_interrupt(ser_solver_watch *watch)
{
    if (watch->reason != SER_REASON_NONE || ser_search_must_stop(watch->options, &watch->reason))
        return true;
    if (!watch->options->memory || !watch->calls->takes_too_much(watch->solver))
        return false;
    watch->reason = SER_REASON_MEMORY;
    return true;
}

static void *keep_watch(void *argument)
{
    ser_solver_watch *watch = argument;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->over) {
        if (must_interrupt(watch))
            watch->calls->interrupt(watch->solver);
        wait_a_little(watch);
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

bool ser_solver_watch_start(ser_solver_watch *watch, const ser_search_options *options,
                            const ser_watched *calls, void *solver)
{
    *watch = (ser_solver_watch){.calls = calls, .solver = solver, .options = options};
    if (!options->stop && options->deadline <= 0 && !options->memory)
        return true; /* there will never be a reason */
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&watch->mutex, NULL);
    watch->started = pthread_create(&watch->thread, NULL, keep_watch, watch) == 0;
    if (!watch->started) {
        pthread_mutex_destroy(&watch->mutex);
        pthread_cond_destroy(&watch->ended);
    }
    return watch->started;
}

ser_reason ser_solver_watch_reason(ser_solver_watch *watch)
{
    if (!watch->started)
        return watch->reason;
    pthread_mutex_lock(&watch->mutex);
    ser_reason reason = watch->reason;
    pthread_mutex_unlock(&watch->mutex);
    return reason;
}

void ser_solver_watch_end(ser_solver_watch *watch)
{
    if (!watch->started)
        return;
    pthread_mutex_lock(&watch->mutex);
    watch->over = true;
    pthread_cond_signal(&watch->ended);
    pthread_mutex_unlock(&watch->mutex);
    pthread_join(watch->thread, NULL);
    pthread_mutex_destroy(&watch->mutex);
    pthread_cond_destroy(&watch->ended);
    watch->started = false;
}
