/* SPDX-License-Identifier: MIT */
#include "session/run/job.h"

#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "report/formats.h"
#include "session/folder.h"
#include "session/run/once.h"

ser_status ser_run_schedules(ser_run_job *job, uint64_t schedules, ser_error *error)
{
    ser_status status = SER_OK;
    job->report.wanted_runs = schedules;
    for (uint64_t i = 0;
         status == SER_OK && i < schedules && !ser_run_should_stop() && !job->is_full; i++) {
        const ser_run_schedule schedule = {.scheduler = i == 0 ? "round-robin" : "random",
                                           .seed = job->options.seed + i};
        status = ser_run_once(job, &schedule, false, error);
    }
    return status;
}

ser_status ser_run_start(ser_run_job *job, ser_error *error)
{
    job->recording.options.replaces = true;
    job->recording.options.redact = job->options.redact;
    if (job->options.disk && job->options.disk < job->recording.options.limit.bytes)
        job->recording.options.limit.bytes = job->options.disk;
    job->settings = strlen(ser_settings_text(&job->recording.settings));
    ser_status status = ser_make_run_folder(job->options.folder, error);
    return status == SER_OK
               ? ser_surroundings_begin(&job->recording.around, job->options.folder, true, error)
               : status;
}

void ser_run_job_fini(ser_run_job *job)
{
    ser_prediction_fini(&job->predicted);
    ser_loaded_close(&job->last);
    ser_kept_fini(&job->kept);
    ser_trials_fini(&job->trials);
    ser_run_report_fini(&job->report);
    ser_recording_fini(&job->recording);
}

const ser_run *ser_run_first(const ser_run_job *job)
{
    const ser_kept_trace *first = ser_kept_find(&job->kept, 0);
    return first ? first->loaded.run : NULL;
}

size_t ser_run_found(const ser_run_job *job)
{
    return job->report.bugs.list.count + job->report.failures.count + job->report.replaced;
}

bool ser_run_should_stop(void)
{
    return ser_was_interrupted() || ser_should_stop();
}

ser_status ser_run_save(const ser_run_job *job, ser_error *error)
{
    const ser_report report = {.run = &job->report};
    char path[4096];
    snprintf(path, sizeof path, "%s/result.json", job->options.folder);
    return ser_report_save(&report, &ser_report_as_json, path, error);
}
