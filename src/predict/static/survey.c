/* SPDX-License-Identifier: MIT */
/* Two passes at a time, where they do not need each other. */
#include "predict/static/survey.h"

#include <pthread.h>

#include "predict/segment/extent.h"

/* Each of the passes that run at the same time has a meter. */
typedef struct surveyor {
    ser_survey *survey;
    const ser_survey_options *options;
    ser_meter meters[2];
} surveyor;

typedef void *pass(void *context);

static void *find_order(void *context)
{
    surveyor *work = context;
    work->survey->order = ser_order_create(work->survey->run, &work->meters[0]);
    return NULL;
}

static void *find_index(void *context)
{
    ser_survey *survey = ((surveyor *)context)->survey;
    survey->index = ser_index_create(survey->run);
    return NULL;
}

static void *find_extents(void *context)
{
    surveyor *work = context;
    if (work->options->extents)
        work->survey->extents = ser_extent_of_blocks(work->survey->order, &work->meters[0]);
    return NULL;
}

static void *find_guards(void *context)
{
    surveyor *work = context;
    ser_survey *survey = work->survey;
    ser_meter *meter = &work->meters[1];
    if (!work->options->guards)
        return NULL;
    ser_outer outer = ser_outer_of(survey->order);
    survey->guards = ser_guards_create(survey->run, &outer, meter);
    const ser_discipline_facts facts = {.run = survey->run,
                                        .outer = &outer,
                                        .guards = survey->guards,
                                        .order = survey->order,
                                        .index = survey->index,
                                        .meter = meter};
    if (work->options->two_phase && !meter->reached)
        survey->two_phase = ser_two_phase_create(&facts);
    ser_outer_fini(&outer);
    return NULL;
}

static void run_both(surveyor *work, pass *one, pass *other)
{
    pthread_t helper;
    bool helped = work->options->parallel && pthread_create(&helper, NULL, one, work) == 0;
    if (!helped)
        one(work);
    other(work);
    if (helped)
        pthread_join(helper, NULL);
}

static ser_overrun limit_reached(const surveyor *work)
{
    return work->meters[0].reached ? work->meters[0].reached : work->meters[1].reached;
}

ser_overrun ser_survey_init(ser_survey *survey, const ser_run *run,
                            const ser_survey_options *options)
{
    *survey = (ser_survey){.run = run};
    surveyor work = {survey, options, {{.limits = options->limits}, {.limits = options->limits}}};
    run_both(&work, find_index, find_order);
    if (!limit_reached(&work))
        run_both(&work, find_extents, find_guards);
    return limit_reached(&work);
}

void ser_survey_fini(ser_survey *survey)
{
    free(survey->extents);
    ser_two_phase_destroy(survey->two_phase);
    ser_guards_destroy(survey->guards);
    ser_index_destroy(survey->index);
    ser_order_destroy(survey->order);
}
