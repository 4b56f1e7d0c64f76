/* SPDX-License-Identifier: MIT */
/*
 * options.h - what the settings of a run (a=1:b=2) can say.
 *
 * One table for the runtime, which reads it, and the recorder, which offers the
 * same as flags and answers help=1. Numbers only, but for the scheduler.
 */
#ifndef SER_CONTRACT_OPTIONS_H
#define SER_CONTRACT_OPTIONS_H

#include <stdint.h>

#include "contract/channel.h"

typedef enum ser_scheduler {
    SER_SCHEDULER_ROUND_ROBIN,
    SER_SCHEDULER_RANDOM,
    SER_SCHEDULER_PCT,
    SER_SCHEDULER_COUNT
} ser_scheduler;

/* Names of schedulers, in the order of the enumeration. */
#define SER_SCHEDULER_NAMES                                                                        \
    {                                                                                              \
        "round-robin", "random", "pct"                                                             \
    }

/* X(name, default, smallest, largest, help) */
#define SER_RUNTIME_OPTIONS(X)                                                                     \
    X(scheduler, 0, 0, 2, "who runs next (serial mode): round-robin, random or pct")               \
    X(seed, 1, 0, UINT64_MAX, "what random decisions depend on")                                   \
    X(quantum, 4000, 1, UINT32_MAX, "events until the next thread's turn, on average")             \
    X(depth, 3, 1, 64, "pct: number of ordering decisions a bug may need")                         \
    X(length, 100000, 1, UINT64_MAX, "pct: how many events the run is expected to have")           \
    X(calls, 1, 0, 1, "record calls and returns")                                                  \
    X(exact, 1000000, 0, UINT64_MAX,                                                               \
      "operations after which accesses of private memory are elided")                              \
    X(inputs, 1, 0, 1, "record what the time, random numbers and process numbers were")            \
    X(steal_ms, 5, 1, 60000, "milliseconds after which a blocked thread loses its turn")           \
    X(spin_ms, 200, 1, 600000, "the same for a thread that computes outside instrumented code")    \
    X(linger, 0, 0, 10000, "milliseconds that a thread which has received waits for others to")    \
    X(hold, 0, 0, 1000, "after so many unlocks instead, until the others receive nothing more")    \
    X(hold_after, 0, 0, UINT32_MAX, "only after so many receipts")                                 \
    X(turns, 0, 0, 1, "serial mode: note in the trace how many turns there were")                  \
    X(threads, SER_CHANNEL_THREADS, 1, SER_CHANNEL_THREADS,                                        \
      "parallel mode: threads at once that can be recorded; one more ends the recording")          \
    X(replay_ms, 700, 1, 600000, "replay: how long a thread may take for its next step")

typedef struct ser_runtime_options {
#define SER_X(name, standard, smallest, largest, help) uint64_t name;
    SER_RUNTIME_OPTIONS(SER_X)
#undef SER_X
} ser_runtime_options;

/* Of Java programs: patterns of classes to record besides, or not to record, and a folder for
 * rewritten classes. Not set: none. */
#define SER_JAVA_INCLUDE "SERIATIM_JAVA_INCLUDE"
#define SER_JAVA_EXCLUDE "SERIATIM_JAVA_EXCLUDE"
#define SER_JAVA_DUMP    "SERIATIM_JAVA_DUMP"

#endif
