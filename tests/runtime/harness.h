/* SPDX-License-Identifier: MIT */
/*
 * harness.h - a recorder for the tests of the runtime.
 *
 * Starts a program with a channel, takes its records while it runs, brings them
 * into the order of the run, and checks rules that every run must keep.
 */
#ifndef SER_TESTS_HARNESS_H
#define SER_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/channel.h"
#include "trace/event.h"

typedef struct harness_run {
    ser_record *records; /* all, in the order of the run, without definitions */
    size_t count, room;
    ser_record *defined; /* parallel mode: what came through ring 0 */
    size_t defined_count, defined_room;
    int status; /* as waitpid gives it */
    uint64_t lost;
    bool ended, deadlock;
} harness_run;

/* How it is to be run. */
typedef struct harness_way {
    bool parallel;
    bool slowly;         /* the ring is full most of the time (serial mode) */
    const char *options; /* of the runtime */
    int seconds;
} harness_way;

/* Runs argv[0] ... under the harness. Kills it when it reports a deadlock, or after
 * so many seconds (then the run's status is that of SIGKILL). */
void harness_execute(harness_run *run, char **argv, const harness_way *way);

void harness_free(harness_run *run);

/* Complains about each rule that the run breaks; returns how often. */
size_t harness_check(const harness_run *run);

/* Prints the run, one event a line, addresses as they first come: A1, A2, ... */
void harness_print(const harness_run *run);

#endif
