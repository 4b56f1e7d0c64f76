/* SPDX-License-Identifier: MIT */
#include "predict/results.h"

static void free_triple_witnesses(ser_block_result *result)
{
    for (size_t i = 0; i < result->triple_witnesses.count; i++) {
        ser_vector_free(&result->triple_witnesses.items[i].order);
        ser_witness_facts_fini(&result->triple_witnesses.items[i].facts);
    }
    ser_vector_free(&result->triple_witnesses);
}

void ser_block_result_fini(ser_block_result *result)
{
    ser_vector_free(&result->order);
    ser_witness_facts_fini(&result->facts);
    ser_vector_free(&result->real_triples);
    free_triple_witnesses(result);
}

void ser_prediction_fini(ser_prediction *prediction)
{
    for (size_t i = 0; i < prediction->results.count; i++)
        ser_block_result_fini(&prediction->results.items[i]);
    ser_vector_free(&prediction->results);
    if (prediction->survey)
        ser_survey_fini(prediction->survey);
    free(prediction->survey);
    prediction->survey = NULL;
}

const char *ser_verdict_name(ser_verdict verdict)
{
    static const char *const names[] = {
        [SER_VERDICT_UNKNOWN] = "unknown",
        [SER_VERDICT_STATIC] = "static",
        [SER_VERDICT_NONE] = "none",
        [SER_VERDICT_VIOLATION] = "violation",
    };
    return names[verdict];
}

const char *ser_reason_name(ser_reason reason)
{
    static const char *const names[] = {
        [SER_REASON_TIME] = "time",
        [SER_REASON_MEMORY] = "memory",
        [SER_REASON_SWITCHES] = "switches",
        [SER_REASON_SOLVER] = "solver",
        [SER_REASON_INTERRUPTED] = "interrupted",
        [SER_REASON_VALUES] = "values",
        [SER_REASON_WINDOW] = "window",
    };
    return names[reason];
}
