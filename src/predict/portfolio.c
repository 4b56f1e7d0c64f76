/* SPDX-License-Identifier: MIT */
/*
 * What forced orders show comes first: it is cheap and settles nearly everything. Of the
 * searches, hashed states win where few threads contend for little; the solver where long
 * segments leave many orders open but force most of them; the stateless search where hardly
 * anything conflicts. Which of these a task is shows quickest by trying: each gets a
 * short slice of time, then each a longer one. The solver needs longer ones than the
 * others, since it cannot do anything useful before its formula stands.
 */
#include "predict/portfolio.h"

#include "base/clock.h"
#include "predict/saturation/saturation.h"

typedef struct share {
    const ser_search_engine *engine;
    double seconds; /* of its first slice */
} share;

static const share SHARES[] = {
    {&ser_search_saturation, 2},
    {&ser_search_states, 0.1},
    {&ser_search_smt, 0.5},
    {&ser_search_dpor, 0.1},
};

enum { SHARE_COUNT = sizeof SHARES / sizeof *SHARES };

static const double SLICE_GROWTH = 10;

static void run_slice(const ser_search_engine *engine, const ser_task *task,
                      const ser_search_options *options, double seconds, ser_answer *answer)
{
    ser_search_options slice = *options;
    double end = ser_clock_now() + seconds;
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
    bool gave_up[SHARE_COUNT] = {false};
    for (double factor = 1;; factor *= SLICE_GROWTH) {
        bool any = false;
        for (int i = 0; i < SHARE_COUNT; i++) {
            if (gave_up[i])
                continue;
            run_slice(SHARES[i].engine, task, options, factor * SHARES[i].seconds, answer);
            if (answer->outcome != SER_UNKNOWN)
                return SHARES[i].engine;
            if (ser_search_must_stop(options, &reason)) {
                answer->reason = reason;
                return SHARES[i].engine;
            }
            gave_up[i] = answer->reason != SER_REASON_TIME;
            any |= !gave_up[i];
        }
        if (!any)
            return SHARES[0].engine;
    }
}
