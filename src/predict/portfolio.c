/* SPDX-License-Identifier: MIT */
/*
 * What forced orders show comes first (saturation.h): it is cheap and settles nearly everything. Of
 * the searches, hashed states win on small tasks, and the solver on large ones;
 * docs/algorithms/portfolio.md has the measurements. The stateless search proves least, but needs
 * least memory, and finds what the others miss. No rule predicts the best engine for sure, so each
 * gets a short slice of time, then each a longer one. The solver needs longer ones than the others,
 * since it cannot start before its formula is built.
 */
#include "predict/portfolio.h"

#include "base/clock.h"
#include "predict/saturation/saturation.h"

typedef struct share {
    const ser_search_engine *engine;
    double seconds; /* of its first slice */
} share;

enum { SHARE_COUNT = 4, LARGE_TASK = 200 };

static const share SMALL_TASK_SHARES[SHARE_COUNT] = {
    {&ser_search_saturation, 2},
    {&ser_search_states, 0.1},
    {&ser_search_smt, 0.5},
    {&ser_search_dpor, 0.1},
};

static const share LARGE_TASK_SHARES[SHARE_COUNT] = {
    {&ser_search_saturation, 2},
    {&ser_search_smt, 0.5},
    {&ser_search_states, 0.1},
    {&ser_search_dpor, 0.1},
};

static const double SLICE_GROWTH = 10;

static void run_slice(const share *mine, double factor, const ser_task *task,
                      const ser_search_options *options, ser_answer *answer)
{
    ser_search_options slice = *options;
    double end = ser_clock_work() + factor * mine->seconds;
    if (options->deadline <= 0 || end < options->deadline)
        slice.deadline = end;
    uint64_t explored = answer->explored;
    mine->engine->run(task, &slice, answer);
    answer->explored += explored;
}

const ser_search_engine *ser_portfolio_run(const ser_task *task, const ser_search_options *options,
                                           ser_answer *answer)
{
    const share *shares = task->steps.count > LARGE_TASK ? LARGE_TASK_SHARES : SMALL_TASK_SHARES;
    ser_reason reason;
    bool gave_up[SHARE_COUNT] = {false};
    double factor = 1;
    for (;;) {
        const ser_search_engine *last = NULL;
        for (int i = 0; i < SHARE_COUNT; i++) {
            if (gave_up[i])
                continue;
            last = shares[i].engine;
            run_slice(&shares[i], factor, task, options, answer);
            if (answer->outcome != SER_UNKNOWN)
                return last;
            if (ser_search_must_stop(options, &reason)) {
                answer->reason = reason;
                return last;
            }
            gave_up[i] = answer->reason != SER_REASON_TIME;
            if (options->hurries && !gave_up[i] && last == &ser_search_saturation)
                return last;
        }
        bool any = false;
        for (int i = 0; i < SHARE_COUNT; i++)
            any |= !gave_up[i];
        if (!any)
            return last;
        factor *= SLICE_GROWTH;
    }
}
