/* SPDX-License-Identifier: MIT */
#include "session/run/candidates/derived.h"

#include <unistd.h>

#include "base/clock.h"
#include "session/run/analysis/analysis.h"

enum { MOST_DERIVED = 8 };

void ser_derived_add(ser_derived_list *list, const char *path, int exit, int signal)
{
    ser_derived derived = {ser_copy_text(path, strlen(path)), exit, signal};
    ser_vector_push(list, derived);
}

void ser_derived_fini(ser_derived_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].path)
            unlink(list->items[i].path);
        free(list->items[i].path);
    }
    ser_vector_free(list);
}

/* A trace that cannot be read says nothing. */
static bool is_new(ser_run_job *job, const ser_derived *derived)
{
    const ser_source_settings settings = {
        .verb = "predict from", .path = derived->path, .reading = job->options.reading};
    ser_error ignored;
    ser_loaded loaded;
    bool is_new = ser_loaded_make(&loaded, &settings, &ignored) == SER_OK &&
                  ser_trials_is_new(&job->trials, loaded.run);
    ser_loaded_close(&loaded);
    return is_new;
}

static ser_status predict_from(ser_run_job *job, ser_derived *derived, ser_error *error)
{
    static const char schedule[] = "a replay that took another path";
    ser_run_trace trace = {.path = derived->path,
                           .schedule = ser_copy_text(schedule, strlen(schedule)),
                           .exit = derived->exit,
                           .signal = derived->signal,
                           .derived = true};
    ser_loaded loaded = {0};
    ser_prediction prediction = {0};
    double deadline = job->options.deadline;
    derived->path = NULL;
    job->trials.derived++;
    ser_vector_push(&job->report.traces, trace);
    job->options.deadline = job->trials.until; /* it is one more trial */
    ser_status status = ser_run_analyse(&job->report, &job->options, ser_run_first(job), &loaded,
                                        &prediction, error);
    job->options.deadline = deadline;
    if (status == SER_OK && loaded.run)
        ser_kept_add(&job->kept, job->report.traces.count - 1, &loaded, &prediction);
    ser_prediction_fini(&prediction);
    ser_loaded_close(&loaded);
    return status;
}

ser_status ser_derived_predict(ser_run_job *job, ser_derived_list *list, ser_error *error)
{
    ser_status status = SER_OK;
    for (size_t i = 0; status == SER_OK && i < list->count; i++)
        if (job->trials.derived < MOST_DERIVED && !ser_run_should_stop() &&
            ser_clock_now() < job->trials.until && is_new(job, &list->items[i]))
            status = predict_from(job, &list->items[i], error);
    return status;
}
