/* SPDX-License-Identifier: MIT */
/*
 * What is called certain is possible: every violation that prediction finds in the trace of a
 * script, by default in all its stages, is one that the script can really have; unless it is said
 * to rely on an operation that does not write (witness/reliance.h).
 */
#include <inttypes.h>

#include "load.h"
#include "predict/predict.h"
#include "programs_trial.h"

static uint64_t compared, certain, uncertain, unreal;

static bool is_wrong(const script *program, const sample *s, const ser_block_result *result,
                     const size_t *block_of, difference *found)
{
    compared++;
    if (result->verdict != SER_VERDICT_VIOLATION)
        return false;
    script_answer real = search_script(program, block_of[result->block]);
    certain += !result->relies_on;
    uncertain += result->relies_on != 0;
    unreal += result->relies_on && real == SCRIPT_NONE;
    return real == SCRIPT_NONE && !result->relies_on &&
           differ(found, "block of event %zu: certain, and not possible\n",
                  s->world.blocks[result->block].begin);
}

static bool fail_certain(const trial *t, const sample *s, difference *found)
{
    (void)t;
    script program;
    ser_error error;
    event_list trace = {0};
    size_t block_of[SCRIPT_BLOCKS];
    ser_prediction prediction = {0};
    const ser_predict_options options = {
        .model = SER_MODEL_GUARDS, .staged = true, .jobs = 1, .search = {.switches = UINT32_MAX}};
    write_script(&program, s->seed);
    record_script(&program, s->seed, &trace, block_of);
    ser_run *run = load_sample(s);
    bool differs = ser_predict(&prediction, run, &options, &error) != SER_OK &&
                   differ(found, "%s\n", error.text);
    for (size_t i = 0; i < prediction.results.count && !differs; i++)
        differs = is_wrong(&program, s, &prediction.results.items[i], block_of, found);
    ser_prediction_fini(&prediction);
    ser_run_destroy(run);
    ser_vector_free(&trace);
    return differs;
}

void print_certain_counts(void)
{
    if (compared)
        printf("%" PRIu64 " blocks: %" PRIu64 " certain violations, all possible; %" PRIu64
               " rely on an operation that does not write, %" PRIu64 " of them impossible\n",
               compared, certain, uncertain, unreal);
}

const trial trial_certain = {"certain", fail_certain, NULL, false};
