/* SPDX-License-Identifier: MIT */
#include "predict/decide/stage.h"

/* The rules of a model; the checker finds equal values, and what guards say, by itself. */
typedef struct maker {
    void (*make)(ser_reads *reads, const ser_run *run);
    bool equal_values, guards;
} maker;

static const maker MAKERS[] = {
    [SER_MODEL_AVP] = {NULL, false, false},
    [SER_MODEL_DATA] = {ser_model_make_data, true, false},
    [SER_MODEL_GUARDS] = {ser_model_make_guards, true, true},
    [SER_MODEL_CANDIDATE] = {ser_model_make_candidate, false, false},
};

static void init(ser_stage *stage, ser_model model, const maker *rules, const ser_run *run)
{
    stage->model = stage->proves = model;
    stage->run = run;
    if (rules->make) {
        rules->make(&stage->rules, run);
        stage->with_rules = *run;
        stage->with_rules.reads = &stage->rules;
        stage->run = &stage->with_rules;
    }
    if (rules->equal_values)
        stage->checked_model.equal_values = true;
    else
        stage->checked_model.reads = stage->run->reads;
    if (rules->guards)
        stage->checked_model.guards = run->symbols;
    pthread_mutex_init(&stage->lock, NULL);
    for (size_t i = 0; i < SER_CHECKERS; i++)
        pthread_mutex_init(&stage->checkers[i].lock, NULL);
}

void ser_stage_init(ser_stage *stage, ser_model model, const ser_run *run)
{
    init(stage, model, &MAKERS[model], run);
}

void ser_stage_init_bounds(ser_stage *stage, const ser_run *run)
{
    const maker bounds = {ser_model_make_guard_bounds, true, true};
    init(stage, SER_MODEL_GUARDS, &bounds, run);
    stage->has_bounds = true;
}

void ser_stage_init_lists(ser_stage *stage, const ser_run *run)
{
    init(stage, SER_MODEL_GUARDS, &MAKERS[SER_MODEL_GUARDS], run);
    stage->proves = SER_MODEL_DATA;
}

void ser_stage_fini(ser_stage *stage)
{
    for (size_t i = 0; i < SER_CHECKERS; i++) {
        ser_checker_destroy(stage->checkers[i].checker);
        pthread_mutex_destroy(&stage->checkers[i].lock);
    }
    pthread_mutex_destroy(&stage->lock);
    ser_survey_fini(&stage->survey);
    ser_value_code_destroy(stage->code);
    ser_checkpoints_destroy(stage->checkpoints);
    ser_reads_fini(&stage->rules);
}

bool ser_stage_lets_change(const ser_stage *stage, uint32_t event)
{
    const ser_run *run = stage->run;
    const ser_reads *reads = run->reads;
    if (!reads || !ser_op_reads((ser_op)run->events[event].op))
        return false;
    const ser_accept_set *set = ser_reads_accept_set(reads, event);
    return reads->rules.items[event].limit != SER_LIMIT_NEXT || set->count > 1 ||
           (set->count == 1 && reads->accepted.items[set->first] != run->couple[event]);
}

bool ser_stage_is_stronger(const ser_stage *stage)
{
    for (uint32_t i = 1; stage->run->reads && i <= stage->run->count; i++)
        if (ser_stage_lets_change(stage, i))
            return true;
    return false;
}

bool ser_stage_survey(ser_stage *stage, const ser_survey_options *options)
{
    pthread_mutex_lock(&stage->lock);
    if (stage->state == SER_SURVEY_MISSING)
        stage->state = ser_survey_init(&stage->survey, stage->run, options) == SER_OVERRUN_NONE
                           ? SER_SURVEY_MADE
                           : SER_SURVEY_FAILED;
    bool is_made = stage->state == SER_SURVEY_MADE;
    pthread_mutex_unlock(&stage->lock);
    return is_made;
}

const ser_value_code *ser_stage_code(ser_stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    if (!stage->code)
        stage->code = ser_value_code_create(stage->run);
    pthread_mutex_unlock(&stage->lock);
    return stage->code;
}

const ser_checkpoints *ser_stage_checkpoints(ser_stage *stage)
{
    pthread_mutex_lock(&stage->lock);
    if (!stage->checkpoints)
        stage->checkpoints = ser_checkpoints_create(stage->run->events, stage->run->count, 0);
    pthread_mutex_unlock(&stage->lock);
    return stage->checkpoints;
}

static ser_status check(ser_checker *checker, const ser_stage_question *question, uint32_t begin,
                        const ser_event_list *order, ser_witness_facts *facts, ser_error *error)
{
    if (!question->of)
        return ser_checker_check(checker, begin, question->cycles, order->items, order->count,
                                 facts, error);
    const uint32_t triple[] = {question->of->from, question->of->remote, question->of->to};
    return ser_checker_check_triple(checker, begin, triple, order->items, order->count, facts,
                                    error);
}

ser_status ser_stage_check(ser_stage *stage, unsigned worker, const ser_stage_question *question,
                           const ser_event_list *order, ser_witness_facts *facts, ser_error *error)
{
    const ser_run *run = stage->run;
    ser_guarded_checker *own = &stage->checkers[worker % SER_CHECKERS];
    pthread_mutex_lock(&own->lock);
    if (!own->checker)
        own->checker = ser_checker_create(run->events, run->count, &stage->checked_model);
    ser_status status = check(own->checker, question, run->blocks.items[question->block].begin,
                              order, facts, error);
    pthread_mutex_unlock(&own->lock);
    return status;
}
