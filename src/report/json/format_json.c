/* SPDX-License-Identifier: MIT */
#include "report/formats.h"
#include "report/json_file.h"

static void write_check(const ser_check_report *report, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    ser_check_report_json(report, &json);
    ser_json_end(&json);
}

static void write_predict(const ser_predict_report *report, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    ser_predict_report_json(report, &json);
    ser_json_end(&json);
}

static void write_run(const ser_run_report *report, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    ser_run_report_json(report, &json);
    ser_json_end(&json);
}

static void write_replay(const ser_replay_report *report, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    ser_replay_report_json(report, &json);
    ser_json_end(&json);
}

static void write_info(const ser_info *info, FILE *file)
{
    ser_json json = ser_json_to_file(file);
    ser_info_json(info, &json);
    ser_json_end(&json);
}

const ser_report_format ser_report_as_json = {
    .name = "json",
    .check = write_check,
    .predict = write_predict,
    .run = write_run,
    .replay = write_replay,
    .info = write_info,
};
