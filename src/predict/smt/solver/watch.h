/* SPDX-License-Identifier: MIT */
/*
 * watch.h - a thread that interrupts a solver when time is over, a stop is asked for or it takes
 * too much memory, since a solver does not poll by itself.
 */
#ifndef SER_PREDICT_SMT_SOLVER_WATCH_H
#define SER_PREDICT_SMT_SOLVER_WATCH_H

#include <pthread.h>

#include "predict/search.h"

/* What can be done with a solver while another thread runs it. */
typedef struct ser_watched {
    void (*interrupt)(void *solver);
    bool (*takes_too_much)(void *solver); /* memory; asked only if there is a limit */
} ser_watched;

typedef struct ser_solver_watch {
    const ser_watched *calls;
    void *solver;
    const ser_search_options *options;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool started, over;
    ser_reason reason;
} ser_solver_watch;

/* From now on calls->interrupt(solver) is called, by another thread and repeatedly, once there is a
 * reason to. False if no thread could be created. */
bool ser_solver_watch_start(ser_solver_watch *watch, const ser_search_options *options,
                            const ser_watched *calls, void *solver);

/* Was there a reason? Can be asked while the watch goes on. */
ser_reason ser_solver_watch_reason(ser_solver_watch *watch);

/* No call of interrupt is under way or comes any more. Once after each start. */
void ser_solver_watch_end(ser_solver_watch *watch);

#endif
