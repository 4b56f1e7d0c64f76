/* SPDX-License-Identifier: MIT */
#include "api/call.h"
#include "session/recording.h"
#include <seriatim/seriatim.h>

static ser_status start(ser_recording *recording, const seriatim_record_options *options,
                        ser_error *error)
{
    const ser_recording_options settings = {
        .command = options->command,
        .settings = options->settings,
        .limit = options->limit,
        .parallel = options->parallel,
        .run_limit = options->seconds,
    };
    bool help = false;
    ser_status status = ser_recording_init(recording, &settings, &help, error);
    if (status == SER_OK && help)
        status = ser_fail(error, SER_USAGE, "the setting help is for the command line");
    recording->options.output = options->output;
    return status;
}

static seriatim_recorded describe(const ser_record_outcome *outcome)
{
    return (seriatim_recorded){
        .status = outcome->status,
        .signal = outcome->signal,
        .deadlock = outcome->deadlock,
        .overran = outcome->overran,
        .events = outcome->trace.events,
    };
}

int seriatim_record(const seriatim_record_options *given, seriatim_recorded *recorded,
                    char *message, size_t size)
{
    ser_api_call call;
    seriatim_record_options options;
    ser_recording recording = {0};
    ser_status status;
    ser_api_enter(&call);
    ser_api_take(&options, sizeof options, given);
    if (!options.command || !options.command[0] || !options.trace)
        status = ser_fail(&call.error, SER_USAGE, "command and trace must be set");
    else
        status = start(&recording, &options, &call.error);
    if (status == SER_OK)
        status = ser_recording_run_quietly(&recording, options.trace, &call.error);
    if (status == SER_UNDECIDED && !call.error.text[0])
        ser_fail(&call.error, status, "%s was ended before it recorded anything",
                 options.command[0]);
    const seriatim_recorded result = describe(&recording.outcome);
    ser_api_give(recorded, &result, sizeof result);
    ser_recording_fini(&recording);
    return ser_api_leave(&call, status, message, size);
}
