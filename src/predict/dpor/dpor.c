/* SPDX-License-Identifier: MIT */
/*
 * The engine `dpor`: stateless search with dynamic partial order reduction (Sinha et al.,
 * "Predicting Serializability Violations: SMT-Based Search vs. DPOR-Based Search", section
 * 3; docs/algorithms/dpor.md). Violations close to the observed run are looked for first
 * (probe.h), unless a bound on context switches was asked for. The search itself (explore.h)
 * is done with wider and wider bounds, so that violations that need few switches are found
 * first; one that passed over nothing because of its bound has looked at everything.
 *
 * By the criterion of serializability, violations of the path criterion are looked for
 * first: they are among those asked for, and that search recognises futile steps.
 */
#include "predict/dpor/explore.h"
#include "predict/dpor/probe.h"

static uint32_t widen(uint32_t bound)
{
    enum { WIDEST = 4 };
    if (bound >= WIDEST)
        return UINT32_MAX;
    return bound ? 2 * bound : 1;
}

static ser_dpor_result explore_wider(const ser_task *task, ser_criterion criterion,
                                     const ser_search_options *options, ser_answer *answer)
{
    ser_dpor_result result = SER_EXPLORED_BOUNDED;
    uint32_t bound = 0;
    while (true) {
        if (bound > options->switches)
            bound = options->switches;
        result = ser_explore(task, criterion, options, bound, answer);
        if (result != SER_EXPLORED_BOUNDED || bound == options->switches)
            return result;
        bound = widen(bound);
    }
}

static void conclude(ser_dpor_result result, ser_answer *answer)
{
    switch (result) {
    case SER_EXPLORED_ALL:
        answer->outcome = SER_NO_VIOLATION;
        break;
    case SER_EXPLORED_FOUND:
        answer->outcome = SER_VIOLATED;
        break;
    case SER_EXPLORED_BOUNDED:
        answer->reason = SER_REASON_SWITCHES;
        answer->outcome = SER_UNKNOWN;
        break;
    case SER_EXPLORED_STOPPED:
        answer->outcome = SER_UNKNOWN;
        break;
    }
}

static void run_dpor(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    *answer = (ser_answer){.outcome = SER_NO_VIOLATION};
    if (options->memory && ser_explore_bytes(task) > options->memory) {
        answer->outcome = SER_UNKNOWN;
        answer->reason = SER_REASON_MEMORY;
        return;
    }
    bool is_bounded = options->switches != UINT32_MAX;
    if (!is_bounded && ser_probe(task, options, answer)) {
        answer->outcome = SER_VIOLATED;
        return;
    }
    ser_dpor_result result = explore_wider(task, SER_CRITERION_PATH, options, answer);
    if (options->criterion == SER_CRITERION_SERIALIZABILITY && result != SER_EXPLORED_FOUND &&
        result != SER_EXPLORED_STOPPED)
        result = explore_wider(task, SER_CRITERION_SERIALIZABILITY, options, answer);
    conclude(result, answer);
}

const ser_search_engine ser_search_dpor = {"dpor", run_dpor};
