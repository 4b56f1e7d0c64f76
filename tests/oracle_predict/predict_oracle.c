/* SPDX-License-Identifier: MIT */
/*
 * predict_oracle - random traces, prediction against brute force.
 *
 *     predict_oracle [--seed S] [--count N] [--profile P] [--trial T,...]
 *                    [--threads A-B] [--events A-B] [--keep DIR] [--large] [--joined] [--late]
 * [--reads] [--values] [--programs]
 *                    [--command SERIATIM] [--solver COMMAND]
 *     predict_oracle --print|--violable [--seed S] [--count N]
 *     predict_oracle --self-test
 *
 * First come the known cases (not with --joined or --late, which do not change them),
 * then random traces. The trace of a seed is always the same, and seeds count up from S: `--seed S
 * --count 1` shows one trace again. At the first difference the trace is shrunk, printed with what
 * is wrong, and kept as a file; the exit status is 1. --large makes traces that are too long for
 * brute force, on which the engines must agree. --joined makes steps of several accesses wherever
 * it can, instead of in some traces, --late likewise late accesses. --reads lets reads change, by
 * random rules (draw_reads.h), --values by random values and flows of accesses, in the model
 * `data`. --programs takes traces of random programs with data (script.h), for all trials, and
 * for trial programs, which looks at the programs as well; --print writes them as C, and --violable
 * which of their blocks can be violated.
 * --command tries the program itself, from outside,
 * --solver another SMT-LIB 2 solver.
 * --self-test checks the brute force on the known cases, and that answers which are
 * wrong on purpose are caught.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"
#include "draw_reads.h"
#include "known_cases.h"
#include "prepare.h"
#include "programs_trial.h"
#include "sample.h"
#include "script.h"
#include "self_test.h"
#include "shrink.h"
#include "trial_options.h"

typedef struct options {
    trial_options common;
    const char *trial; /* names, with commas between; NULL: all */
    bool large;
    bool prints;   /* the programs as C */
    bool violable; /* which of their blocks can be violated */
    draw_limits limits;
} options;

typedef struct statistics {
    uint64_t traces, events, too_large, blocks, violated[CRITERIA];
    time_t next_progress;
} statistics;

/* A trace under examination, and what shrinking needs to look at it again. */
typedef struct subject {
    const trial *trial;
    const char *atomic;
    uint64_t seed;
    bool large;
    difference found;
} subject;

static const trial *const trials[] = {&trial_static,
                                      &trial_rules,
                                      &trial_naive,
                                      &trial_witnesses,
                                      &trial_orders,
                                      &trial_all_orders,
                                      &trial_tasks,
                                      &trial_auto,
                                      &trial_sifted,
                                      &trial_windows,
                                      &trial_checkpoints,
                                      &trial_near,
                                      &trial_split,
                                      &trial_switches,
                                      &trial_smt_bits,
                                      &trial_solver,
                                      &trial_command,
                                      &trial_models,
                                      &trial_programs,
                                      &trial_followed,
                                      &trial_certain,
#define SER_X(name, help) &trial_##name,
                                      SER_SEARCH_ENGINES(SER_X)
#undef SER_X
};

enum { TRIALS = sizeof trials / sizeof *trials };

static bool looks_at_programs(const trial *t)
{
    return t == &trial_programs || t == &trial_followed || t == &trial_certain;
}

static bool differs_on(void *context, const event_list *raw)
{
    subject *s = context;
    sample small;
    if (sample_init(&small, raw, s->atomic, s->seed, s->large) != SAMPLE_READY)
        return false;
    bool differs = s->trial->fails(s->trial, &small, &s->found);
    sample_fini(&small);
    return differs;
}

static void show_difference(const options *o, subject *s, event_list *raw)
{
    printf("seed %" PRIu64 ": a difference in trial %s; shrinking %zu events ...\n", s->seed,
           s->trial->name, raw->count);
    fputs(s->found.text, stdout);
    fflush(stdout);
    if (looks_at_programs(s->trial)) {
        script program;
        write_script(&program, s->seed);
        print_script(stdout, &program, 0);
    } else {
        shrink_trace(raw, differs_on, s);
        differs_on(s, raw);
    }
    printf("--atomic %s\n", s->atomic);
    print_trace(stdout, raw);
    if (has_drawn_reads(raw)) {
        ser_reads reads;
        make_reads(&reads, raw);
        print_reads(stdout, &reads);
        ser_reads_fini(&reads);
    }
    fputs(s->found.text, stdout);
    keep_trace(&o->common, "predict", s->seed, s->trial->name, raw);
}

static void count_answers(statistics *sums, const sample *s)
{
    sums->traces++;
    sums->events += s->events.count;
    sums->blocks += s->world.block_count;
    for (size_t i = 0; i < s->world.block_count; i++)
        for (int criterion = 0; criterion < CRITERIA; criterion++)
            sums->violated[criterion] += s->blocks[i].answer[criterion] == AVP_VIOLATION;
}

/* Is it one of those named, with commas between? */
static bool is_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (!at[length] || at[length] == ','))
            return true;
    }
    return false;
}

/* The first wanted trial that fails, or NULL. */
static const trial *find_culprit(const options *o, subject *about, const sample *s)
{
    for (size_t i = 0; i < TRIALS; i++) {
        bool wanted = !o->trial ? !looks_at_programs(trials[i]) || o->limits.programs
                                : is_named(o->trial, trials[i]->name);
        if (wanted && (!o->large || trials[i]->large) &&
            trials[i]->fails(trials[i], s, &about->found))
            return trials[i];
    }
    return NULL;
}

/* Looks at a trace, and shows what is wrong. */
static bool examine(const options *o, subject *about, event_list *raw, statistics *sums)
{
    sample s;
    sample_status status = sample_init(&s, raw, about->atomic, about->seed, about->large);
    if (status == SAMPLE_READY) {
        count_answers(sums, &s);
        about->trial = find_culprit(o, about, &s);
        sample_fini(&s);
    }
    sums->too_large += status == SAMPLE_TOO_LARGE;
    if (status == SAMPLE_ILL_FORMED)
        printf("seed %" PRIu64 ": the trace is not well-formed\n", about->seed);
    if (about->trial)
        show_difference(o, about, raw);
    return !about->trial && status != SAMPLE_ILL_FORMED;
}

static bool examine_seed(const options *o, uint64_t seed, statistics *sums)
{
    subject about = {.seed = seed, .large = o->large};
    event_list raw = {0};
    about.atomic = draw_trace(&raw, &o->limits, seed);
    bool good = examine(o, &about, &raw, sums);
    ser_vector_free(&raw);
    return good;
}

/* Traces on which an engine was once wrong are among the known ones. */
static bool examine_known_cases(const options *o, statistics *sums)
{
    bool good = true;
    for (size_t i = 0; i < known_case_count && good; i++) {
        subject about = {.atomic = "markers", .large = o->large};
        event_list raw = {0};
        if (known_case_has_rules(&known_cases[i]) && !o->limits.reads)
            continue;
        known_case_events(&known_cases[i], &raw);
        good = examine(o, &about, &raw, sums);
        if (!good)
            printf("known case: %s\n", known_cases[i].what);
        ser_vector_free(&raw);
    }
    return good;
}

/* They stay as they are whatever is drawn, but for rules about reads. The run in which a trial
 * looks at them without such options is enough; the solver takes as long for them as for a hundred
 * random traces. */
static bool are_known_cases_new(const draw_limits *limits)
{
    bool drawn_otherwise = limits->joined || limits->late;
    return !limits->programs && (limits->reads || !drawn_otherwise);
}

static int run_traces(const options *o)
{
    statistics sums = {0};
    if (are_known_cases_new(&o->limits) && !examine_known_cases(o, &sums))
        return 1;
    for (uint64_t i = 0; i < o->common.count; i++) {
        show_progress(&sums.next_progress, sums.traces, o->common.count);
        if (!examine_seed(o, o->common.seed + i, &sums))
            return 1;
    }
    printf("%" PRIu64 " traces, %" PRIu64 " events, %" PRIu64 " blocks: %" PRIu64
           " can be violated, %" PRIu64 " by serializability",
           sums.traces, sums.events, sums.blocks, sums.violated[0], sums.violated[1]);
    if (sums.too_large)
        printf(" (%" PRIu64 " more traces are too large)", sums.too_large);
    printf("; no difference\n");
    print_program_counts();
    print_followed_counts();
    print_certain_counts();
    return 0;
}

/* As many are known as are named. */
static bool parse_trials(const char *text, options *o)
{
    size_t named = text && *text, known = 0;
    o->trial = text;
    for (const char *at = text; at && *at; at++)
        named += *at == ',';
    for (size_t i = 0; i < TRIALS; i++)
        known += is_named(text, trials[i]->name);
    return named && known == named;
}

/* One option with its value; false if it is none. *used is 1 or 2. */
static bool parse_option(options *o, const char *name, const char *value, int *used)
{
    *used = 2;
    if (strcmp(name, "--trial") == 0)
        return parse_trials(value, o);
    if (strcmp(name, "--command") == 0)
        return (command_path = value);
    if (strcmp(name, "--solver") == 0)
        return (solver_command = value);
    *used = 1;
    if (strcmp(name, "--joined") == 0)
        return o->limits.joined = true;
    if (strcmp(name, "--late") == 0)
        return o->limits.late = true;
    if (strcmp(name, "--reads") == 0)
        return o->limits.reads = true;
    if (strcmp(name, "--print") == 0)
        return o->prints = true;
    if (strcmp(name, "--violable") == 0)
        return o->violable = true;
    if (strcmp(name, "--programs") == 0)
        return o->limits.programs = true;
    if (strcmp(name, "--values") == 0)
        return o->limits.values = true;
    if (strcmp(name, "--large") == 0) {
        o->limits.trace = (trace_limits){3, 6, 30, 60, o->limits.trace.profile, false};
        o->limits.any_profile = true;
        o->limits.any_length = false;
        o->common.count = 100;
        return o->large = true;
    }
    if (strcmp(name, "--events") == 0)
        o->limits.any_length = false;
    return parse_trial_option(&o->common, &o->limits.trace, &o->limits.any_profile, name, value,
                              used);
}

int main(int argc, char **argv)
{
    options o = {
        .common = {.seed = 1, .count = 10000, .keep = "."},
        .limits = {{2, 5, 8, 16, PROFILE_ALL, false}, .any_profile = true, .any_length = true}};
    for (int i = 1, used; i < argc; i += used)
        if (!parse_option(&o, argv[i], argv[i + 1], &used))
            return refuse_option("predict_oracle", argv[i]);
    if (o.common.self_test)
        return self_test() ? 0 : 1;
    if (o.prints)
        print_scripts(stdout, o.common.seed, (unsigned)o.common.count);
    if (o.violable)
        print_violable(stdout, o.common.seed, (unsigned)o.common.count);
    return o.prints || o.violable ? 0 : run_traces(&o);
}
