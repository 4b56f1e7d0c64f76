/* SPDX-License-Identifier: MIT */
#include "report/predict_report.h"

#include <inttypes.h>
#include <stdio.h>

ser_predict_summary ser_predict_summarise(const ser_prediction *prediction)
{
    ser_predict_summary summary = {.blocks = prediction->results.count};
    for (size_t i = 0; i < prediction->results.count; i++) {
        const ser_block_result *result = &prediction->results.items[i];
        summary.verdicts[result->verdict]++;
        summary.proofs[result->proof] += result->verdict == SER_VERDICT_STATIC;
        summary.reasons[result->reason] += result->verdict == SER_VERDICT_UNKNOWN;
        summary.segments += result->segment > 0;
        summary.segment_events += result->segment;
    }
    return summary;
}

void ser_predict_schedule_path(const char *folder, uint32_t begin, char path[SER_PREDICT_PATH_SIZE])
{
    snprintf(path, SER_PREDICT_PATH_SIZE, "%s/block-%" PRIu32 ".schedule", folder, begin);
}
