/* SPDX-License-Identifier: MIT */
/*
 * simulator.h - runs a program (program.h) under a random scheduler.
 *
 * A thread takes steps until its burst is over or it cannot go on: it has not been
 * forked, another thread holds the lock, nobody has notified it, the thread to join
 * still runs, or a milestone is not reached. Conditions wake those who wait longest.
 * The same program and seed give the same run.
 */
#ifndef SER_BENCH_SIMULATOR_H
#define SER_BENCH_SIMULATOR_H

#include "program.h"

/* Takes one event, with the function it happened in (NULL: none). */
typedef void (*event_sink)(void *context, const ser_event *event, const char *place);

/* False if the program stalled before all threads ended. */
bool simulate(const program *p, uint64_t seed, event_sink sink, void *context);

#endif
