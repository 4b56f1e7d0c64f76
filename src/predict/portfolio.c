/* SPDX-License-Identifier: MIT */
/*
 * Hashed states win where few threads contend for little; the solver where long
 * segments leave many orders open but force most of them; the stateless search where
 * hardly anything conflicts. Which of these a task is shows quickest by trying: each
 * engine gets a short slice, then each a longer one.
 */
#include "predict/portfolio.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static const ser_search_engine *const ENGINES[] = {&ser_search_states, &ser_search_smt,
                                                   &ser_search_dpor};
enum { ENGINE_COUNT = sizeof ENGINES / sizeof *ENGINES };

static const double FIRST_SLICE = 0.05, SLICE_GROWTH = 4;

static void run_slice(const ser_search_engine *engine, const ser_task *task,
                      const ser_search_options *options, double seconds, ser_answer *answer)
{
    ser_search_options slice = *options;
    double end = now() + seconds;
    if (options->deadline <= 0 || end < options->deadline)
        slice.deadline = end;
    uint64_t explored = answer->explored;
    engine->run(task, &slice, answer);
    answer->explored += explored;
}

const ser_search_engine *ser_portfolio_run(const ser_task *task, const ser_search_options *options,
                                           ser_answer *answer)
{
    ser_reason reason;
    bool out_of_memory[ENGINE_COUNT] = {false};
    for (double slice = FIRST_SLICE;; slice *= SLICE_GROWTH) {
        bool any = false;
        for (int i = 0; i < ENGINE_COUNT; i++) {
            if (out_of_memory[i])
                continue;
            run_slice(ENGINES[i], task, options, slice, answer);
            if (answer->outcome != SER_UNKNOWN)
                return ENGINES[i];
            if (ser_search_must_stop(options, &reason)) {
                answer->reason = reason;
                return ENGINES[i];
            }
            out_of_memory[i] = answer->reason != SER_REASON_TIME;
            any |= !out_of_memory[i];
        }
        if (!any)
            return ENGINES[0];
    }
}
