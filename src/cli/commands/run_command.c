/* SPDX-License-Identifier: MIT */
#include "cli/commands/run_command.h"

#include "cli/report_files.h"
#include "cli/translate.h"

static ser_status write_report(const ser_run_job *job, const ser_arguments *arguments,
                               ser_error *error)
{
    const ser_report report = {.run = &job->report};
    ser_report_print(&report, arguments);
    ser_status status = ser_run_save(job, error);
    return status == SER_OK ? ser_report_save_all(&report, arguments, error) : status;
}

static ser_status exit_status(const ser_run_job *job, const ser_arguments *arguments)
{
    if (!ser_arguments_given(arguments, "program-status") || !job->report.traces.count)
        return ser_run_verdict(&job->report);
    return (ser_status)job->report.traces.items[0].exit;
}

/* What was found before an error is reported nevertheless. */
static ser_status finish(ser_run_job *job, const ser_arguments *arguments, ser_status status,
                         ser_error *error)
{
    ser_error writing = {0};
    if (!job->report.traces.count && status != SER_OK)
        return status;
    status = ser_run_conclude(job, status, error);
    ser_status written = write_report(job, arguments, &writing);
    if (status != SER_OK)
        return status;
    if (written != SER_OK)
        *error = writing;
    return written != SER_OK ? written : exit_status(job, arguments);
}

ser_status ser_run_command(const char *name, const ser_arguments *arguments,
                           ser_status (*do_it)(ser_run_job *job, const ser_arguments *arguments,
                                               ser_error *error),
                           ser_error *error)
{
    ser_run_job job = {.options = ser_run_options_of(name, arguments)};
    bool help = false;
    ser_status status = ser_recording_of(&job.recording, arguments, 0, &help, error);
    if (status == SER_OK && !help && (status = ser_run_start(&job, error)) == SER_OK)
        status = finish(&job, arguments, do_it(&job, arguments, error), error);
    ser_run_job_fini(&job);
    return status;
}
