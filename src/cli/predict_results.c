/* SPDX-License-Identifier: MIT */
#include "cli/predict_results.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "cli/report_files.h"
#include "witness/schedule.h"

ser_status ser_make_folder(const char *path, ser_error *error)
{
    struct stat about;
    if (!path || mkdir(path, 0777) == 0)
        return SER_OK;
    int problem = errno;
    if (problem == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return SER_OK;
    return ser_fail(error, SER_INPUT, "%s: %s", path,
                    problem == EEXIST ? "is no folder" : strerror(problem));
}

ser_status ser_predict_make_folders(const ser_arguments *arguments, ser_error *error)
{
    ser_status status = ser_make_folder(ser_arguments_text(arguments, "schedules"), error);
    if (status == SER_OK)
        status = ser_make_folder(ser_arguments_text(arguments, "smt-dump"), error);
    return status;
}

ser_status ser_write_schedule(const ser_predict_report *report, const ser_block_result *result,
                              const char *path, ser_error *error)
{
    const ser_run *run = report->prediction->run;
    ser_schedule_source source = {
        .run = run,
        .trace = report->path,
        .block = run->blocks.items[result->block].begin,
        .serializability = report->serializability,
        .order = &result->order,
        .facts = &result->facts,
    };
    ser_output *output;
    ser_status status = ser_output_open(&output, path, error);
    if (status != SER_OK)
        return status;
    ser_schedule schedule;
    ser_schedule_make(&schedule, &source);
    ser_schedule_write(&schedule, output);
    ser_schedule_fini(&schedule);
    status = ser_output_finish(output, error);
    ser_output_close(output);
    return status;
}

/* A file that cannot be written keeps neither the others nor the report from being written. */
static ser_status write_schedules(const ser_predict_report *report, bool *unwritten,
                                  ser_error *error)
{
    const ser_prediction *prediction = report->prediction;
    ser_status status = SER_OK;
    for (size_t i = 0; i < prediction->results.count; i++) {
        const ser_block_result *result = &prediction->results.items[i];
        if (result->verdict != SER_VERDICT_VIOLATION)
            continue;
        char path[SER_PREDICT_PATH_SIZE];
        uint32_t begin = prediction->run->blocks.items[result->block].begin;
        ser_predict_schedule_path(report->schedules, begin, path);
        ser_error problem = {0};
        unwritten[i] = ser_write_schedule(report, result, path, &problem) != SER_OK;
        if (unwritten[i] && status != SER_OK)
            ser_complain("%s", problem.text);
        else if (unwritten[i])
            status = ser_fail(error, problem.status, "%s", problem.text);
    }
    return status;
}

ser_status ser_predict_write_results(const ser_predict_report *report,
                                     const ser_arguments *arguments, ser_error *error)
{
    ser_predict_report told = *report;
    bool *unwritten = ser_alloc(report->prediction->results.count, sizeof *unwritten);
    ser_error problem = {0};
    ser_status status = report->schedules ? write_schedules(report, unwritten, error) : SER_OK;
    told.unwritten = unwritten;
    if (ser_report_deliver(&(ser_report){.predict = &told}, arguments, &problem) != SER_OK) {
        if (status != SER_OK)
            ser_complain("%s", problem.text);
        else
            status = ser_fail(error, problem.status, "%s", problem.text);
    }
    free(unwritten);
    return status;
}

ser_status ser_predict_verdict(const ser_predict_report *report)
{
    ser_predict_summary summary = ser_predict_summarise(report->prediction);
    if (summary.verdicts[SER_VERDICT_VIOLATION])
        return SER_VIOLATION;
    return report->partial || summary.verdicts[SER_VERDICT_UNKNOWN] ? SER_UNDECIDED : SER_OK;
}
