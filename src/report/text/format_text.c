/* SPDX-License-Identifier: MIT */
#include "report/formats.h"

const ser_report_format ser_report_as_text = {
    .name = "text",
    .check = ser_check_report_text,
    .predict = ser_predict_report_text,
    .run = ser_run_report_text,
    .replay = ser_replay_report_text,
    .info = ser_info_text,
};
