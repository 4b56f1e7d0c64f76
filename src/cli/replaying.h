/* SPDX-License-Identifier: MIT */
/*
 * replaying.h - forces a program through an interleaving of its recorded run, and looks
 * whether the violation happened.
 *
 * That the schedule was followed is not believed but looked at: the replay is itself
 * recorded, and the block must be violated in the recorded order of that run.
 */
#ifndef SER_CLI_REPLAYING_H
#define SER_CLI_REPLAYING_H

#include "cli/recording.h"
#include "order/run.h"
#include "replay/inputs.h"
#include "report/replay_report.h"

/* What is to be shown. */
typedef struct ser_replay_aim {
    const ser_run *run;          /* the recorded run */
    uint32_t block;              /* its first event */
    const ser_event_list *order; /* the interleaving */
    const char *trace;           /* file for the trace of the replay */
    const char *recorded;        /* the trace of the recorded run, for its inputs; NULL: they are
                                    not given back */
    const char *output;          /* file for the program's output; NULL: ours */
    unsigned attempts;           /* if it diverges */
    bool step, gdb;              /* with a person looking on (replay_walk.h) */
    double grace;                /* seconds that the program may go on after the schedule */
} ser_replay_aim;

#define SER_OPTIONS_REPLAYING                                                                      \
    {.name = "attempts",                                                                           \
     .kind = SER_OPTION_NUMBER,                                                                    \
     .argument = "N",                                                                              \
     .standard = "3",                                                                              \
     .least = 1,                                                                                   \
     .most = 1000000,                                                                              \
     .help = "replay again that often if the program does something else"},                        \
    {                                                                                              \
        .name = "grace", .kind = SER_OPTION_SECONDS, .argument = "SECONDS", .standard = "10",      \
        .help = "how long the program may go on after a replayed schedule"                         \
    }

/* SER_OK whatever the verdict is; errors are those of recording. */
ser_status ser_replay(ser_recording *recording, const ser_replay_aim *aim,
                      const ser_arguments *arguments, ser_replay_result *result, ser_error *error);

/* From now on, until input_count is set to 0, the program is told what it was told in the run
 * of that trace (NULL: nothing). The list must live as long, and is the caller's to free. */
ser_status ser_replay_give_inputs(ser_recording *recording, const char *trace,
                                  ser_input_list *inputs, ser_error *error);

/* The interleaving that a schedule file describes. SER_INPUT if it is none of this run. */
ser_status ser_replay_read_schedule(const char *path, const ser_run *run, ser_event_list *order,
                                    uint32_t *block, ser_error *error);

#endif
