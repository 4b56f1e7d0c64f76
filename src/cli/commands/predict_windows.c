/* SPDX-License-Identifier: MIT */
#include "cli/commands/predict_windows.h"

#include <string.h>

#include "base/host.h"
#include "cli/report_files.h"
#include "cli/translate.h"
#include "session/windowing.h"

enum { USUAL_WINDOW = 1024 };

bool ser_wants_windows(const ser_arguments *arguments)
{
    return ser_arguments_given(arguments, "window") || ser_arguments_given(arguments, "follow");
}

static bool is_text(const ser_arguments *arguments, const char *option, const char *value)
{
    return strcmp(ser_arguments_text(arguments, option), value) == 0;
}

/* Windows have one model and one criterion, and all blocks. */
static ser_status refuse_others(const ser_arguments *arguments, ser_error *error)
{
    static const char *const of_runs[] = {"block", "thread",          "function",  "shard",
                                          "split", "list-candidates", "schedules", NULL};
    const char *given = ser_arguments_any_given(arguments, of_runs);
    if (given)
        return ser_fail(error, SER_USAGE, "--%s does not go with windows (--window, --follow)",
                        given);
    if (!is_text(arguments, "criterion", "path"))
        return ser_fail(error, SER_USAGE,
                        "windows (--window, --follow) work with --criterion path only");
    if (!is_text(arguments, "model", "auto") && !is_text(arguments, "model", "avp"))
        return ser_fail(error, SER_USAGE,
                        "windows (--window, --follow) work with --model avp only");
    return SER_OK;
}

/* Then it is not read twice. */
static bool is_endless(const ser_arguments *arguments)
{
    return ser_arguments_given(arguments, "follow") ||
           strcmp(ser_arguments_operand(arguments, 0), "-") == 0;
}

/* Where windows were not asked for they grow, as long as one takes a small part of the memory. */
static uint32_t largest_of(const ser_arguments *arguments)
{
    enum { BYTES_PER_EVENT = 128, PART = 2, LARGEST = 1 << 20 };
    uint64_t memory = ser_arguments_number(arguments, "memory-total") << 20;
    if (ser_wants_windows(arguments) || is_endless(arguments))
        return 0;
    memory = memory ? memory : ser_host_memory() / 2;
    uint64_t events = memory / PART / BYTES_PER_EVENT;
    return events < LARGEST ? (uint32_t)events : LARGEST;
}

static ser_windowing windowing_of(const ser_arguments *arguments)
{
    uint64_t size = ser_arguments_number(arguments, "window");
    ser_windowing result = {
        .size = size ? (uint32_t)size : USUAL_WINDOW,
        .largest = largest_of(arguments),
        .text = ser_report_takes_stdout(arguments) ? NULL : stdout,
        .is_asked_for = ser_wants_windows(arguments),
        .facts_first = !is_endless(arguments),
        .only_notable = is_text(arguments, "json-blocks", "notable"),
        .json = ser_arguments_text(arguments, "json"),
        .predict = ser_predict_options_of(arguments),
    };
    result.predict.model = SER_MODEL_AVP;
    result.predict.staged = false;
    result.predict.jobs = 1;
    return result;
}

ser_status ser_run_in_windows(const ser_arguments *arguments, ser_error *error)
{
    ser_source_settings settings = ser_source_of(arguments, "predict");
    settings.keep = settings.skip_sites = !is_endless(arguments);
    const ser_windowing options = windowing_of(arguments);
    ser_source source = {0};
    ser_status status = refuse_others(arguments, error);
    if (status == SER_OK)
        status = ser_refuse_outputs(arguments, NULL, true, error);
    if (status != SER_OK)
        return status;
    status = ser_source_open(&source, &settings, error);
    if (status == SER_OK)
        status = ser_predict_in_windows(&source, &options, error);
    ser_source_close(&source);
    return status;
}
