/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "api/call.h"
#include "api/prediction.h"
#include "session/replaying.h"

static ser_status start(ser_recording *recording, const seriatim_replay_options *options,
                        ser_error *error)
{
    enum { LONGEST_REPLAY = 600 };
    const ser_recording_options settings = {
        .command = options->command,
        .run_limit = options->seconds > 0 ? options->seconds : LONGEST_REPLAY,
    };
    bool help = false;
    ser_status status = ser_recording_init(recording, &settings, &help, error);
    ser_recording_own(recording);
    recording->options.replaces = true;
    return status;
}

static ser_status force(ser_recording *recording, seriatim_run *run,
                        const ser_block_result *violation, const seriatim_replay_options *options,
                        ser_replay_result *result, ser_error *error)
{
    enum { STANDARD_ATTEMPTS = 3, STANDARD_GRACE = 10 };
    ser_replay_aim aim = {
        .run = run->loaded.run,
        .block = run->loaded.run->blocks.items[violation->block].begin,
        .order = &violation->order,
        .trace = options->trace,
        .reading = {.atomic = run->atomic},
        .output = options->output,
        .attempts = options->attempts ? options->attempts : STANDARD_ATTEMPTS,
        .grace = options->grace > 0 ? options->grace : STANDARD_GRACE,
    };
    ser_status status = options->no_inputs || strcmp(run->path, "-") == 0
                            ? SER_OK
                            : ser_loaded_inputs(&run->loaded, &aim.inputs, error);
    return status == SER_OK ? ser_replay(recording, &aim, result, error) : status;
}

static ser_status verdict(const ser_replay_result *result)
{
    if (result->verdict == SER_REPLAY_SHOWN)
        return SER_VIOLATION;
    return result->verdict == SER_REPLAY_DIVERGED ? SER_UNDECIDED : SER_OK;
}

static void give(seriatim_replayed *replayed, const ser_replay_result *result)
{
    seriatim_replayed own = {
        .status = result->status,
        .signal = result->signal,
        .deadlock = result->deadlock,
        .attempts = result->attempts,
        .event = result->event,
    };
    snprintf(own.reason, sizeof own.reason, "%.255s", result->reason);
    ser_api_give(replayed, &own, sizeof own);
}

int seriatim_replay(seriatim_prediction *prediction, size_t index,
                    const seriatim_replay_options *given, seriatim_replayed *replayed,
                    char *message, size_t size)
{
    ser_api_call call;
    seriatim_replay_options options;
    ser_recording recording = {0};
    ser_replay_result result = {0};
    ser_api_enter(&call);
    ser_api_take(&options, sizeof options, given);
    const ser_block_result *violation = ser_api_find_violation(prediction, index, &call.error);
    ser_status status = violation ? SER_OK : SER_USAGE;
    if (status == SER_OK && (!options.command || !options.command[0] || !options.trace))
        status = ser_fail(&call.error, SER_USAGE, "command and trace must be set");
    if (status == SER_OK)
        status = start(&recording, &options, &call.error);
    if (status == SER_OK)
        status = force(&recording, prediction->run, violation, &options, &result, &call.error);
    if (status == SER_OK)
        status = verdict(&result);
    give(replayed, &result);
    ser_recording_fini(&recording);
    return ser_api_leave(&call, status, message, size);
}
