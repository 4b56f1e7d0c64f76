/* SPDX-License-Identifier: MIT */
/*
 * replaying.h - forces a program through an interleaving of its recorded run, and looks
 * whether the violation happened.
 *
 * First strictly: each step must be the recorded one. If that does not show it, by place: threads
 * may take other paths, and give way where the schedule says.
 *
 * The replay is itself recorded, and that trace alone decides, whatever else happened: some run of
 * the same code must be violated in its order (replay/violated.h).
 */
#ifndef SER_SESSION_REPLAYING_H
#define SER_SESSION_REPLAYING_H

#include "order/run.h"
#include "replay/follow.h"
#include "replay/inputs.h"
#include "replay/violated.h"
#include "report/replay_report.h"
#include "session/recording.h"
#include "session/source.h"

struct ser_replay_aim;

/* Watches a replay step by step, and may pause the program. */
typedef struct ser_replay_watcher {
    void *context;
    /* Called when an attempt begins. Returns the number of steps after which the program pauses
     * for the first time; 0: it does not. */
    uint64_t (*begin)(void *context, ser_follower *follower, const struct ser_replay_aim *aim);
    /* Instead of the follower's, for ser_record_options. */
    bool (*look)(void *context, ser_program *program, const ser_record *records, size_t count);
    bool (*is_done)(const void *context);
    void (*end)(void *context);
} ser_replay_watcher;

/* What is to be shown. */
typedef struct ser_replay_aim {
    const ser_run *run;           /* the recorded run */
    uint32_t block;               /* its first event; 0: only the order is to be followed */
    const ser_event_list *order;  /* the interleaving */
    const char *trace;            /* file for the trace of the replay */
    ser_reading reading;          /* of that trace, and of the recorded one */
    const ser_input_list *inputs; /* of the recorded run, to be given back; NULL: they are not */
    const char *output;           /* file for the program's output; NULL: ours */
    unsigned attempts;            /* strict ones, if it diverges */
    bool strict;                  /* not by place */
    /* Reads of the interleaving that get another write; NULL: none are known. */
    const ser_event_list *changed;
    ser_violation_filter filter; /* which violations show it */
    /* Called if the violation is shown, with the run of the replay, the first event of the
     * violated block in it, and the checker's facts; may be NULL. */
    void (*shown)(void *context, const ser_run *replay, uint32_t block,
                  const ser_witness_facts *facts);
    void *context;
    const ser_replay_watcher *watcher; /* may be NULL */
    double grace;                      /* seconds that the program may go on after the schedule */
} ser_replay_aim;

/* SER_OK whatever the verdict is; errors are those of recording. */
ser_status ser_replay(ser_recording *recording, const ser_replay_aim *aim,
                      ser_replay_result *result, ser_error *error);

/* From now on, until input_count is set to 0, the program gets these inputs of another run
 * (NULL: none). The list must live as long. */
void ser_replay_give_inputs(ser_recording *recording, const ser_input_list *inputs);

#endif
