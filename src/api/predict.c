/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>

#include "api/call.h"
#include "api/prediction.h"
#include "session/schedules.h"

static_assert(SERIATIM_BLOCK_UNKNOWN == (int)SER_VERDICT_UNKNOWN &&
                  SERIATIM_BLOCK_STATIC == (int)SER_VERDICT_STATIC &&
                  SERIATIM_BLOCK_NONE == (int)SER_VERDICT_NONE &&
                  SERIATIM_BLOCK_VIOLATED == (int)SER_VERDICT_VIOLATION,
              "the public verdicts are the internal ones");
static_assert(SERIATIM_UNDECIDED == (int)SER_UNDECIDED && SERIATIM_INTERNAL == (int)SER_INTERNAL,
              "the public results are the internal ones");

/* --- runs ------------------------------------------------------------------- */

seriatim_run *seriatim_run_load(const char *path, const char *atomic, char *message, size_t size)
{
    ser_api_call call;
    seriatim_run *run = ser_alloc(1, sizeof *run);
    ser_api_enter(&call);
    run->path = ser_copy_text(path, strlen(path));
    run->atomic = atomic ? ser_copy_text(atomic, strlen(atomic)) : NULL;
    const ser_source_settings settings = {
        .verb = "load", .path = run->path, .reading = {.atomic = run->atomic}};
    ser_status status = ser_loaded_make(&run->loaded, &settings, &call.error);
    ser_api_leave(&call, status, message, size);
    if (status == SER_OK)
        return run;
    seriatim_run_destroy(run);
    return NULL;
}

void seriatim_run_destroy(seriatim_run *run)
{
    if (!run)
        return;
    ser_loaded_close(&run->loaded);
    free(run->path);
    free(run->atomic);
    free(run);
}

uint64_t seriatim_run_events(const seriatim_run *run)
{
    return run->loaded.counts.events;
}

uint64_t seriatim_run_blocks(const seriatim_run *run)
{
    return run->loaded.run->blocks.count;
}

/* --- predictions ------------------------------------------------------------ */

static ser_status make_options(ser_predict_options *options, ser_predict_choice *choice,
                               const seriatim_predict_options *given, ser_error *error)
{
    enum { STANDARD_TIMEOUT = 60 };
    const ser_effort effort = {.timeout = given->timeout > 0 ? given->timeout : STANDARD_TIMEOUT,
                               .model = SER_MODEL_GUARDS,
                               .staged = true,
                               .memory = (size_t)given->memory,
                               .jobs = given->jobs};
    *options = ser_effort_options(&effort);
    *choice = (ser_predict_choice){.block = (uint32_t)given->block};
    if (given->engine && strcmp(given->engine, "auto") != 0) {
        options->engine = ser_search_engine_by_name(given->engine);
        if (!options->engine)
            return ser_fail(error, SER_USAGE, "there is no engine %s", given->engine);
    }
    if (given->block >= UINT32_MAX)
        return ser_fail(error, SER_USAGE, "no block begins with that event");
    return SER_OK;
}

static ser_status predict(seriatim_prediction *prediction, const seriatim_predict_options *given,
                          ser_error *error)
{
    ser_loaded *loaded = &prediction->run->loaded;
    ser_predict_options options;
    ser_predict_choice choice;
    ser_status status = make_options(&options, &choice, given, error);
    if (status == SER_OK)
        status = ser_predict_choice_check(&choice, loaded->run, error);
    if (status == SER_OK)
        status = ser_predict_loaded(&prediction->results, loaded, &choice, &options, error);
    if (status != SER_OK)
        return status;
    const ser_predict_report report = {.prediction = &prediction->results};
    return ser_predict_verdict(&report);
}

static bool is_answer(ser_status status)
{
    return status == SER_OK || status == SER_VIOLATION || status == SER_UNDECIDED;
}

int seriatim_predict(seriatim_run *run, const seriatim_predict_options *given,
                     seriatim_prediction **prediction, char *message, size_t size)
{
    ser_api_call call;
    seriatim_predict_options options;
    ser_api_enter(&call);
    ser_api_take(&options, sizeof options, given);
    *prediction = ser_alloc(1, sizeof **prediction);
    (*prediction)->run = run;
    ser_status status = predict(*prediction, &options, &call.error);
    if (!is_answer(status)) {
        seriatim_prediction_destroy(*prediction);
        *prediction = NULL;
    }
    return ser_api_leave(&call, status, message, size);
}

void seriatim_prediction_destroy(seriatim_prediction *prediction)
{
    if (!prediction)
        return;
    ser_prediction_fini(&prediction->results);
    free(prediction);
}

size_t seriatim_prediction_count(const seriatim_prediction *prediction)
{
    return prediction->results.results.count;
}

static seriatim_block describe(const ser_run *run, const ser_block_result *result)
{
    const ser_run_block *block = &run->blocks.items[result->block];
    return (seriatim_block){
        .first = block->begin,
        .last = block->end,
        .thread = ser_symbols_whole_name(run->symbols, SER_SPACE_THREAD, block->thread).text,
        .location = ser_symbols_whole_location(run->symbols, run->events[block->begin].site).text,
        .verdict = (seriatim_verdict)result->verdict,
        .order = result->order.items,
        .order_length = result->order.count,
    };
}

int seriatim_prediction_block(const seriatim_prediction *prediction, size_t index,
                              seriatim_block *block)
{
    if (index >= prediction->results.results.count)
        return SERIATIM_USAGE;
    const seriatim_block result =
        describe(prediction->run->loaded.run, &prediction->results.results.items[index]);
    ser_api_give(block, &result, sizeof result);
    return SERIATIM_OK;
}

const ser_block_result *ser_api_find_violation(const seriatim_prediction *prediction, size_t index,
                                               ser_error *error)
{
    if (index < prediction->results.results.count &&
        prediction->results.results.items[index].verdict == SER_VERDICT_VIOLATION)
        return &prediction->results.results.items[index];
    ser_fail(error, SER_USAGE, "block %zu of the prediction is not violated", index);
    return NULL;
}

int seriatim_prediction_save(const seriatim_prediction *prediction, size_t index, const char *path,
                             char *message, size_t size)
{
    ser_api_call call;
    ser_api_enter(&call);
    const ser_block_result *result = ser_api_find_violation(prediction, index, &call.error);
    const ser_predict_report report = {.path = prediction->run->path,
                                       .prediction = &prediction->results};
    ser_status status = result ? ser_write_schedule(&report, result, path, &call.error) : SER_USAGE;
    return ser_api_leave(&call, status, message, size);
}
