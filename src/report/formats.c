/* SPDX-License-Identifier: MIT */
#include "report/formats.h"

const ser_report_format *const ser_report_formats[] = {
#define SER_X(name, words) &ser_report_as_##name,
    SER_REPORT_FORMATS(SER_X)
#undef SER_X
        NULL,
};

void ser_report_write(const ser_report_format *format, const ser_report *report, FILE *file)
{
    if (report->check)
        format->check(report->check, file);
    else if (report->predict)
        format->predict(report->predict, file);
    else if (report->run)
        format->run(report->run, file);
    else if (report->replay)
        format->replay(report->replay, file);
    else
        format->info(report->info, file);
}
