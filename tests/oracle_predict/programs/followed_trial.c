/* SPDX-License-Identifier: MIT */
/*
 * The model `guards` where values are followed, beside exact data along the recorded path: what it
 * finds violated is; what it finds not violated is not, unless a compare-exchange takes part, or a
 * branch that comes late; and it finds what `data` finds.
 */
#include <inttypes.h>

#include "exact.h"
#include "follow_script.h"
#include "loose.h"
#include "predict/model.h"
#include "predict/predict.h"
#include "predict/search.h"
#include "predict/task/build.h"
#include "predict/values/task_values.h"
#include "programs_trial.h"

static uint64_t compared, found_violated, found_none, left_open, exactly_violated;

/* Is there a step between the last round of a loop and the branch that looks at what it made? */
static bool is_behind_steps(const instruction *code, size_t branch)
{
    for (size_t i = branch; i-- > 0;) {
        if (code[i].kind == SCRIPT_LOAD && code[i].to == SCRIPT_ROUND)
            return false;
        if (code[i].kind < SCRIPT_SET)
            return true;
    }
    return false;
}

/* Does it look at what the last round has read? In the trace such a round does not go on with the
 * one before, so that the guard counts in each. */
static bool looks_at_last(const instruction *code, size_t branch)
{
    size_t i = branch;
    while (i > 0 && (code[i].kind < SCRIPT_SUM || code[i].kind > SCRIPT_LAST))
        i--;
    return code[branch].from == SCRIPT_TOTAL && code[i].kind == SCRIPT_LAST;
}

/* Does a branch look at a register that keeps its value? It may come long after the read, which is
 * where the model stops its thread. */
static bool decides_late(const script *program)
{
    for (size_t thread = 0; thread < program->threads; thread++)
        for (size_t i = 0; i < program->length[thread]; i++)
            if (program->code[thread][i].kind == SCRIPT_UNLESS &&
                (program->code[thread][i].from < SCRIPT_LOCALS ||
                 (program->code[thread][i].from >= SCRIPT_ROUND &&
                  (is_behind_steps(program->code[thread], i) ||
                   looks_at_last(program->code[thread], i)))))
                return true;
    return false;
}

static ser_run *load(const script *program, const sample *s, ser_symbols *symbols)
{
    ser_error error;
    ser_run_builder *builder = ser_run_builder_create(NULL);
    ser_event *events = ser_alloc(s->events.count + 1, sizeof *events);
    memcpy(events, s->events.items, s->events.count * sizeof *events);
    follow_script(program, events, s->events.count, symbols);
    ser_status status = ser_run_builder_add(builder, events, s->events.count, &error);
    ser_check(status == SER_OK);
    ser_run *run = ser_run_builder_finish(builder);
    run->symbols = symbols;
    free(events);
    return run;
}

static bool is_wrong(const script *program, const sample *s, const ser_block_result *result,
                     difference *found)
{
    script_answer exact = search_exact(program, s, result->block, EXCHANGE_BY_DATA);
    if (exact == SCRIPT_TOO_LARGE)
        return false;
    size_t begin = s->world.blocks[result->block].begin;
    bool is_violation = result->verdict == SER_VERDICT_VIOLATION;
    bool is_none = !is_violation && result->verdict != SER_VERDICT_UNKNOWN;
    compared++;
    exactly_violated += exact == SCRIPT_VIOLATION;
    found_violated += is_violation;
    found_none += is_none;
    left_open += !is_violation && !is_none;
    if (!is_violation && !is_none)
        return differ(found, "block of event %zu: left open\n", begin);
    if (is_violation && exact == SCRIPT_NONE && !script_exchanges(program))
        return differ(found, "block of event %zu: violated by guards, and not exactly\n", begin);
    if (is_none && exact == SCRIPT_VIOLATION && !script_exchanges(program) &&
        !decides_late(program))
        return differ(found, "block of event %zu: violated exactly, and not by guards\n", begin);
    return is_none && is_violated(s, result->block) &&
           differ(found, "block of event %zu: violated by data, and not by guards\n", begin);
}

/* An engine that follows values, in the whole run, must agree with the stages of a prediction. */
static bool is_wrong_by(const ser_search_engine *engine, const ser_run *bounds,
                        const ser_value_code *code, const ser_block_result *result,
                        difference *found)
{
    const ser_search_options options = {.switches = UINT32_MAX};
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_segment *whole = ser_segment_whole(bounds);
    ser_task *task = ser_task_build(bounds, NULL, result->block, whole, NULL);
    ser_task_values *values = ser_task_values_create(task, whole, code);
    task->values = values;
    bool is_exact = engine != &ser_search_smt || !values->is_mixed;
    if (is_exact)
        engine->run(task, &options, &answer);
    bool is_violation = result->verdict == SER_VERDICT_VIOLATION;
    bool differs = is_exact && answer.outcome != (is_violation ? SER_VIOLATED : SER_NO_VIOLATION) &&
                   differ(found, "block of event %u: %s by %s with values, and %s predicted\n",
                          bounds->blocks.items[result->block].begin,
                          answer.outcome == SER_VIOLATED  ? "violated"
                          : answer.outcome == SER_UNKNOWN ? "unknown"
                                                          : "not violated",
                          engine->name, is_violation ? "it is" : "it is not");
    ser_answer_fini(&answer);
    ser_task_values_destroy(values);
    ser_task_destroy(task);
    ser_segment_destroy(whole);
    return differs;
}

/* The solver takes longer, so that it looks at some only. */
static bool differ_by_engines(const sample *s, const ser_run *run, const ser_prediction *prediction,
                              difference *found)
{
    enum { FOR_THE_SOLVER = 8 };
    ser_reads rules;
    ser_run bounds = *run;
    bool differs = false;
    ser_model_make_guard_bounds(&rules, run);
    bounds.reads = &rules;
    ser_value_code *code = ser_value_code_create(run);
    for (size_t i = 0; i < prediction->results.count && !differs; i++) {
        const ser_block_result *result = &prediction->results.items[i];
        if (!ser_block_first_access(run, result->block))
            continue;
        differs = is_wrong_by(&ser_search_states, &bounds, code, result, found) ||
                  (s->seed % FOR_THE_SOLVER == 0 &&
                   is_wrong_by(&ser_search_smt, &bounds, code, result, found));
    }
    ser_value_code_destroy(code);
    ser_reads_fini(&rules);
    return differs;
}

static bool fail_followed(const trial *t, const sample *s, difference *found)
{
    (void)t;
    script program;
    ser_error error;
    ser_prediction prediction = {0};
    ser_symbols *symbols = ser_symbols_create();
    const ser_predict_options options = {
        .model = SER_MODEL_GUARDS, .jobs = 1, .search = {.switches = UINT32_MAX}};
    write_script(&program, s->seed);
    ser_run *run = load(&program, s, symbols);
    bool differs = ser_predict(&prediction, run, &options, &error) != SER_OK &&
                   differ(found, "%s\n", error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = is_wrong(&program, s, &prediction.results.items[i], found);
    differs = differs || differ_by_engines(s, run, &prediction, found);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    ser_symbols_destroy(symbols);
    return differs;
}

void print_followed_counts(void)
{
    if (compared)
        printf("%" PRIu64 " blocks with values followed: %" PRIu64
               " exactly violated; by guards %" PRIu64 " violated, %" PRIu64 " not, %" PRIu64
               " left open\n",
               compared, exactly_violated, found_violated, found_none, left_open);
}

const trial trial_followed = {"followed", fail_followed, NULL, false};
