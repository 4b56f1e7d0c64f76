/* SPDX-License-Identifier: MIT */
#include "report/predict_report.h"

#include <inttypes.h>
#include <stdio.h>

static void add_triples(ser_triple_counts *sum, const ser_triple_counts *counts)
{
    sum->potential += counts->potential;
    sum->ordered += counts->ordered;
    sum->unlocked += counts->unlocked;
    sum->real += counts->real;
    sum->undecided += counts->undecided;
}

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
        add_triples(&summary.triples, &result->triples);
    }
    return summary;
}

void ser_predict_schedule_path(const char *folder, uint64_t begin, char path[SER_PREDICT_PATH_SIZE])
{
    snprintf(path, SER_PREDICT_PATH_SIZE, "%s/block-%" PRIu64 ".schedule", folder, begin);
}
