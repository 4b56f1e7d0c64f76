/* SPDX-License-Identifier: MIT */
#include "session/run/survey/unmatched.h"

#include "session/run/sequences.h"

ser_status ser_refuse_unmatched(const ser_run_report *report, const char *path, ser_error *error)
{
    const ser_unmatched *unmatched = &report->unmatched;
    if (unmatched->lines == 0 || unmatched->list.count < unmatched->lines)
        return SER_OK;
    const ser_unmatched_line *line = &unmatched->list.items[0];
    return ser_fail(error, SER_INPUT, "%s: no function of the recorded run%s matches '%s'%s%s%s%s",
                    path, ser_run_count(report) == 1 ? "" : "s", line->line,
                    unmatched->lines > 1 ? ", nor any other line" : "",
                    line->nearest ? "; did you mean '" : "", line->nearest ? line->nearest : "",
                    line->nearest ? "'?" : "");
}

ser_status ser_note_unmatched(ser_run_report *report, const char *path, const ser_loaded *loaded,
                              ser_error *error)
{
    ser_unmatched found = ser_trace_unmatched(loaded->source.trace);
    if (report->traces.count > 1) {
        ser_unmatched_keep(&report->unmatched, &found);
        ser_unmatched_fini(&found);
        return SER_OK;
    }
    report->unmatched = found;
    return ser_run_awaits_all(loaded->run) ? ser_refuse_unmatched(report, path, error) : SER_OK;
}
