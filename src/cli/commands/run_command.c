/* SPDX-License-Identifier: MIT */
#include "cli/commands/run_command.h"

#include <stdio.h>
#include <string.h>

#include "cli/dossier_files.h"
#include "cli/report_files.h"
#include "cli/suppressing.h"
#include "cli/translate.h"
#include "session/reporting/reporting.h"
#include "session/run/conclude.h"

/* What the folder holds, in further files: --report, --ci, --gen-suppressions. */
static ser_status write_files(const ser_run_job *job, const ser_dossier *dossier,
                              const ser_arguments *arguments, ser_error *error)
{
    static const char *const names[] = {"sarif", "junit", "html"};
    const char *report = ser_arguments_text(arguments, "report");
    bool ci = ser_arguments_given(arguments, "ci");
    ser_status status = SER_OK;
    for (size_t i = 0; ci && status == SER_OK && i < sizeof names / sizeof *names; i++) {
        const ser_dossier_format *format = ser_dossier_format_by_name(names[i]);
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", job->options.folder, format->file);
        status = ser_dossier_save(dossier, format, path, error);
    }
    if (status == SER_OK && report)
        status = ser_dossier_deliver(dossier, report, NULL, error);
    return status == SER_OK ? ser_write_suppressions(dossier, arguments, error) : status;
}

/* As `seriatim report` would make it of the folder. */
static ser_status write_dossier(const ser_run_job *job, const ser_arguments *arguments,
                                ser_error *error)
{
    ser_reporting work = {.options.reading.lenient = job->options.reading.lenient};
    ser_status status = ser_reporting_add(&work, job->options.folder, error);
    if (status == SER_OK) {
        ser_reporting_finish(&work);
        if (ser_arguments_given(arguments, "ci") && !ser_report_takes_stdout(arguments))
            ser_dossier_print_lines(&work.dossier);
        status = write_files(job, &work.dossier, arguments, error);
    }
    ser_reporting_fini(&work);
    return status;
}

static ser_status write_report(const ser_run_job *job, const ser_arguments *arguments,
                               ser_error *error)
{
    const ser_report report = {.run = &job->report};
    bool ci = ser_arguments_given(arguments, "ci");
    if (!ci)
        ser_report_print(&report, arguments);
    ser_status status = ser_run_save(job, error);
    if (status == SER_OK)
        status = ser_report_save_all(&report, arguments, error);
    bool wanted = ci || ser_arguments_given(arguments, "report") ||
                  ser_arguments_given(arguments, "gen-suppressions");
    return status == SER_OK && wanted ? write_dossier(job, arguments, error) : status;
}

/* A certain violation that was not seen in the program leaves it undecided, unless it counts. */
static ser_status verdict_by(const ser_run_report *report, const char *fail_on, bool no_replay)
{
    ser_status verdict = ser_run_verdict(report);
    bool seen = report->failures.count > 0;
    if (strcmp(fail_on, "none") == 0)
        return SER_OK;
    if (verdict != SER_VIOLATION || strcmp(fail_on, "predicted") == 0 || no_replay)
        return verdict;
    for (size_t i = 0; i < report->bugs.list.count; i++)
        seen |= report->bugs.list.items[i].status >= SER_BUG_OBSERVED;
    return seen ? SER_VIOLATION : SER_UNDECIDED;
}

static ser_status exit_status(const ser_run_job *job, const ser_arguments *arguments)
{
    if (ser_arguments_given(arguments, "program-status") && job->report.traces.count)
        return (ser_status)job->report.traces.items[0].exit;
    return verdict_by(&job->report, ser_arguments_text(arguments, "fail-on"),
                      job->options.no_replay);
}

/* What was found before an error is reported nevertheless. */
static ser_status finish(ser_run_job *job, const ser_arguments *arguments, ser_suppressions *list,
                         ser_status status, ser_error *error)
{
    ser_error writing = {0};
    if (!job->report.traces.count && status != SER_OK)
        return status;
    status = ser_run_conclude(job, status, error);
    if (list) {
        ser_run_suppress(&job->report, list);
        ser_suppressions_warn_unused(list);
    }
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
    ser_run_job job = {.options = ser_run_options_of(name, arguments),
                       .report.verbose = ser_arguments_given(arguments, "verbose")};
    ser_suppressions *list = NULL;
    bool help = false;
    ser_status status = ser_recording_of(&job.recording, arguments, 0, NULL, &help, error);
    ser_surroundings_of(&job.recording, arguments);
    if (status == SER_OK && !help) /* before the folder is emptied, which may have the baseline */
        status = ser_suppressions_of(arguments, &list, error);
    if (status == SER_OK && !help && (status = ser_run_start(&job, error)) == SER_OK)
        status = finish(&job, arguments, list, do_it(&job, arguments, error), error);
    ser_suppressions_destroy(list);
    ser_run_job_fini(&job);
    return status;
}
