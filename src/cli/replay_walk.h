/* SPDX-License-Identifier: MIT */
/*
 * replay_walk.h - a replay with a person looking on: step by step in the terminal, or
 * stopped at the violation under gdb. The program stands still meanwhile.
 */
#ifndef SER_CLI_REPLAY_WALK_H
#define SER_CLI_REPLAY_WALK_H

#include <stdio.h>

#include "cli/replaying.h"
#include "replay/follow.h"

typedef struct ser_walk {
    ser_follower *follower;
    bool step, gdb;
    uint64_t from;  /* the first step that is shown */
    uint64_t limit; /* steps after which we are asked next */
    FILE *answers;  /* what the person types */
} ser_walk;

void ser_walk_init(ser_walk *walk, ser_follower *follower, const ser_replay_aim *aim);
void ser_walk_fini(ser_walk *walk);

/* For ser_record_options, with the walk as context. */
bool ser_walk_look(void *walk, ser_program *program, const ser_record *records, size_t count);
bool ser_walk_is_done(const void *walk);

#endif
