/* SPDX-License-Identifier: MIT */
/*
 * oracle - random traces, every engine against the definition.
 *
 *     oracle [--seed S] [--count N] [--profile P] [--engine E]
 *            [--threads A-B] [--events A-B] [--keep DIR] [--large]
 *     oracle --self-test
 *
 * The trace of a seed is always the same, and seeds count up from S: `--seed S
 * --count 1` shows one trace again. At the first difference the trace is shrunk,
 * printed with the right answer and the engine's, and kept as a file; the exit
 * status is 1. --large makes long traces, on which only the naive reference can
 * keep up. --self-test checks the definition on known traces, and that engines
 * which are wrong on purpose are caught.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare.h"
#include "known_traces.h"
#include "prepare.h"
#include "random.h"
#include "self_test.h"
#include "shrink.h"
#include "trial_options.h"

typedef struct options {
    trial_options trial;
    const char *engine; /* NULL: all */
    bool any_profile;
    trace_limits limits;
} options;

typedef struct statistics {
    uint64_t traces, events, violating, several_open, late;
    time_t next_progress;
} statistics;

/* A trace under examination, and what shrinking needs to look at it again. */
typedef struct subject {
    const ser_engine *engine;
    const char *atomic;
    uint64_t seed;
    bool large;
    difference found;
} subject;

static const char *choose_atomic(uint64_t seed)
{
    static const char *const modes[] = {"locks", "functions", "auto"};
    random_source random = {~seed};
    return random_chance(&random, 85) ? "markers" : modes[random_below(&random, 3)];
}

static bool differs_on(void *context, const event_list *raw)
{
    subject *s = context;
    event_list marked = {0};
    ser_error error;
    bool differs = false;
    if (prepare_trace(&marked, raw, s->atomic, &error)) {
        expectation right;
        expectation_init(&right, &marked, s->large);
        differs = engine_differs(s->engine, &right, s->seed, &s->found);
        expectation_fini(&right);
    }
    ser_vector_free(&marked);
    return differs;
}

static void show_difference(const options *o, subject *s, event_list *raw)
{
    printf("seed %" PRIu64 ": a difference; shrinking %zu events ...\n", s->seed, raw->count);
    fflush(stdout);
    shrink_trace(raw, differs_on, s);
    differs_on(s, raw);
    printf("--atomic %s\n", s->atomic);
    print_trace(stdout, raw);
    fputs(s->found.text, stdout);
    keep_trace(&o->trial, "oracle", s->seed, s->engine->name, raw);
}

static void count_answers(statistics *sums, const expectation *right)
{
    const definition *d = &right->definition;
    sums->traces++;
    sums->events += right->events->count;
    sums->violating += right->all.count > 0;
    sums->several_open += d->first_cycle && d->first_with_one_open != d->first_cycle;
    sums->late += d->first_cycle > right->events->count / 2;
}

/* The first wanted engine that differs, or NULL. */
static const ser_engine *find_culprit(const options *o, subject *s, const expectation *right)
{
    for (size_t i = 0; ser_engines[i]; i++) {
        bool wanted = !o->engine || strcmp(o->engine, ser_engines[i]->name) == 0;
        if (wanted && engine_differs(ser_engines[i], right, s->seed, &s->found))
            return ser_engines[i];
    }
    return NULL;
}

static bool all_agree(const options *o, subject *s, event_list *raw, const event_list *marked,
                      statistics *sums)
{
    expectation right;
    expectation_init(&right, marked, s->large);
    count_answers(sums, &right);
    s->engine = find_culprit(o, s, &right);
    expectation_fini(&right);
    if (s->engine)
        show_difference(o, s, raw);
    return !s->engine;
}

static bool examine(const options *o, uint64_t seed, statistics *sums)
{
    trace_limits limits = o->limits;
    if (o->any_profile)
        limits.profile = (trace_profile)(seed % PROFILE_COUNT);
    subject s = {.atomic = choose_atomic(seed), .seed = seed, .large = limits.large};
    event_list raw = {0}, marked = {0};
    ser_error error;
    random_trace(&raw, &limits, seed);
    bool good = prepare_trace(&marked, &raw, s.atomic, &error);
    if (good) {
        good = all_agree(o, &s, &raw, &marked, sums);
    } else {
        print_trace(stdout, &raw);
        printf("seed %" PRIu64 ": %s\n", seed, error.text);
    }
    ser_vector_free(&raw);
    ser_vector_free(&marked);
    return good;
}

static int run_traces(const options *o)
{
    statistics sums = {0};
    for (uint64_t i = 0; i < o->trial.count; i++) {
        show_progress(&sums.next_progress, sums.traces, o->trial.count);
        if (!examine(o, o->trial.seed + i, &sums))
            return 1;
    }
    printf("%" PRIu64 " traces, %" PRIu64 " events: %" PRIu64 " violate", sums.traces, sums.events,
           sums.violating);
    if (!o->limits.large)
        printf(" (%" PRIu64 " in their second half, %" PRIu64
               " first with several open transactions)",
               sums.late, sums.several_open);
    printf("; no difference\n");
    return 0;
}

/* One option with its value; false if it is none. *used is 1 or 2. */
static bool parse_option(options *o, const char *name, const char *value, int *used)
{
    *used = 2;
    if (strcmp(name, "--engine") == 0 && value)
        return ser_engine_by_name(o->engine = value);
    *used = 1;
    if (strcmp(name, "--large") == 0) {
        o->limits = (trace_limits){6, 150, 1000, 5000, o->limits.profile, true};
        o->trial.count = 20;
        return true;
    }
    return parse_trial_option(&o->trial, &o->limits, &o->any_profile, name, value, used);
}

int main(int argc, char **argv)
{
    options o = {.trial = {.seed = 1, .count = 24000, .keep = "."},
                 .any_profile = true,
                 .limits = {2, 6, 4, 40, PROFILE_ALL, false}};
    for (int i = 1, used; i < argc; i += used)
        if (!parse_option(&o, argv[i], argv[i + 1], &used))
            return refuse_option("oracle", argv[i]);
    if (o.trial.self_test)
        return known_traces_hold() && self_test() ? 0 : 1;
    return run_traces(&o);
}
