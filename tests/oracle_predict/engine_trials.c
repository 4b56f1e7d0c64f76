/* SPDX-License-Identifier: MIT */
/*
 * Prediction beside the brute force: every engine, with and without segment, static
 * check and minimisation. Each witness is executed by the definition, and by the
 * checker of witnesses, from the first event on.
 */
#include <stdio.h>

#include "base/status.h"
#include "load.h"
#include "predict/predict.h"
#include "sample.h"
#include "task_search.h"

/* One way to predict. */
typedef struct setting {
    const char *name;
    int criterion;
    bool no_segment, no_static;
    bool facts_first; /* as large runs are predicted from (settle.h); by the portfolio only */
} setting;

static const setting settings[] = {
    {"", 0, false, false, false},
    {" --no-segment", 0, true, false, false},
    {" --no-static", 0, false, true, false},
    {" --no-segment --no-static", 0, true, true, false},
    {" --criterion serializability", 1, false, false, false},
    {" --criterion serializability --no-static", 1, false, true, false},
    {" with facts first", 0, false, false, true},
    {" --criterion serializability with facts first", 1, false, false, true},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

#define SECONDS_A_BLOCK 0.5 /* of a large sample; it may stay unknown then */

/* Whom to ask. */
typedef struct way {
    const ser_search_engine *engine; /* NULL: the portfolio */
    const char *name;                /* of what is special about it */
    bool bits;                       /* --smt-order bits */
    bool bounded;                    /* --switches, by the seed */
    const char *const *solver;       /* --solver-command */
} way;

enum { MOST_SWITCHES = 3 };

const char *solver_command;

typedef struct inquiry {
    const sample *s;
    const ser_run *run;
    const way *way;
    const setting *setting;
    bool no_minimise;
    difference *found;
} inquiry;

static bool differ_about(const inquiry *q, size_t block, const char *what)
{
    return differ(q->found, "block of event %zu, engine %s%s%s%s: %s\n",
                  q->s->world.blocks[block].begin, q->way->engine ? q->way->engine->name : "auto",
                  q->way->name, q->setting->name, q->no_minimise ? " (not minimised)" : "", what);
}

static bool differ_about_order(const inquiry *q, size_t block, const char *what,
                               const char *order_name, const uint32_t *order, size_t count)
{
    char reason[512];
    snprintf(reason, sizeof reason, "%.500s", what);
    differ_about(q, block, reason);
    describe_order(q->found, order_name, order, count);
    return true;
}

/* Large samples may run out of time; a bound on switches must be named as the reason. */
static bool may_stay_unknown(const inquiry *q, const ser_block_result *result)
{
    return q->s->large || (q->way->bounded && result->reason == SER_REASON_SWITCHES);
}

static bool result_differs(const inquiry *q, const ser_block_result *result)
{
    const sample_block *right = &q->s->blocks[result->block];
    const avp_order *witness = &right->witness[q->setting->criterion];
    bool violated = right->answer[q->setting->criterion] == AVP_VIOLATION;
    if (result->verdict == SER_VERDICT_UNKNOWN)
        return !may_stay_unknown(q, result) && differ_about(q, result->block, "unknown");
    if (result->verdict != SER_VERDICT_VIOLATION)
        return violated && differ_about_order(q, result->block, "a violation is missed", "witness",
                                              witness->events, witness->count);
    if (is_witness(q->s, result->block, q->setting->criterion, result->order.items,
                   result->order.count, q->found))
        return false;
    return differ_about_order(q, result->block, q->found->text, "order", result->order.items,
                              result->order.count);
}

static ser_status predict(const inquiry *q, ser_prediction *prediction, ser_error *error)
{
    ser_predict_options options = {
        .model = q->s->by_value ? SER_MODEL_GUARDS : SER_MODEL_AVP,
        .engine = q->way->engine,
        .no_segment = q->setting->no_segment,
        .no_static = q->setting->no_static,
        .no_minimise = q->no_minimise,
        .settled_from = q->setting->facts_first ? 1 : 0,
        .jobs = 1,
        .timeout = q->s->large ? SECONDS_A_BLOCK : 0,
        .search = {.switches = UINT32_MAX, .smt_bits = q->way->bits},
    };
    if (q->way->bounded)
        options.search.switches = q->s->seed % MOST_SWITCHES;
    if (q->way->solver)
        options.search.solver_command = *q->way->solver;
    if (q->setting->criterion)
        options.search.criterion = SER_CRITERION_SERIALIZABILITY;
    return ser_predict(prediction, q->run, &options, error);
}

static bool prediction_differs(const inquiry *q)
{
    ser_prediction prediction;
    ser_error error;
    bool differs = false;
    if (predict(q, &prediction, &error))
        differs = differ_about(q, 0, error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = result_differs(q, &prediction.results.items[i]);
    ser_prediction_fini(&prediction);
    return differs;
}

static bool fail_engine(const trial *t, const sample *s, difference *found)
{
    const way *asked = t->subject;
    if (asked->solver && !*asked->solver)
        return false;
    ser_run *run = load_sample(s);
    inquiry q = {.s = s, .run = run, .way = t->subject, .found = found};
    bool differs = false;
    for (size_t i = 0; i < SETTINGS && !differs; i++) {
        q.setting = &settings[i];
        if (q.setting->facts_first && asked->engine)
            continue;
        if (s->seed && q.setting->criterion && q.setting->no_static != (s->seed / 2 % 2 == 0))
            continue; /* one of the two is enough, but for known cases */
        q.no_minimise = (s->seed + i) % 2;
        differs = prediction_differs(&q);
    }
    ser_run_destroy(run);
    return differs;
}

static bool keep_answer(sample *s, const ser_block_result *result, int criterion)
{
    sample_block *block = &s->blocks[result->block];
    avp_order *witness = &block->witness[criterion];
    block->answer[criterion] = result->verdict == SER_VERDICT_VIOLATION ? AVP_VIOLATION : AVP_NONE;
    witness->count = result->order.count;
    for (size_t i = 0; i < result->order.count; i++)
        witness->events[i] = result->order.items[i];
    return result->verdict != SER_VERDICT_UNKNOWN;
}

static const way tasks = {&task_search_engine, "", false, false, NULL};
static const way dpor_bounded = {&ser_search_dpor, " --switches", false, true, NULL};
static const way smt_bits = {&ser_search_smt, " --smt-order bits", true, false, NULL};
static const way smt_solver = {&ser_search_smt, " --solver-command", false, false, &solver_command};
static const way portfolio = {NULL, "", false, false, NULL};

/* Each engine that --engine can name, as it is. */
#define SER_X(name, help)                                                                          \
    static const way name = {&ser_search_##name, "", false, false, NULL};                          \
    const trial trial_##name = {#name, fail_engine, &name, true};
SER_SEARCH_ENGINES(SER_X)
#undef SER_X

/* The plainest way there is, over the whole trace. */
bool answer_by_engine(sample *s)
{
    ser_run *run = load_sample(s);
    inquiry q = {.s = s, .run = run, .way = &states, .no_minimise = true};
    bool known = true;
    for (int criterion = 0; criterion < CRITERIA && known; criterion++) {
        setting plain = {.name = "", .criterion = criterion, .no_segment = true, .no_static = true};
        ser_prediction prediction;
        ser_error error;
        q.setting = &plain;
        known = predict(&q, &prediction, &error) == SER_OK;
        for (size_t i = 0; i < prediction.results.count; i++)
            known = keep_answer(s, &prediction.results.items[i], criterion) && known;
        ser_prediction_fini(&prediction);
    }
    ser_run_destroy(run);
    return known;
}

const trial trial_tasks = {"tasks", fail_engine, &tasks, false};
const trial trial_switches = {"switches", fail_engine, &dpor_bounded, true};
const trial trial_smt_bits = {"smt-bits", fail_engine, &smt_bits, false};
const trial trial_solver = {"solver", fail_engine, &smt_solver, false};
const trial trial_auto = {"auto", fail_engine, &portfolio, true};
