/* SPDX-License-Identifier: MIT */
/*
 * replay_walk.h - an interactive replay: step by step in the terminal, or stopped at the violation
 * under gdb. The program is stopped meanwhile.
 */
#ifndef SER_CLI_COMMANDS_REPLAY_WALK_H
#define SER_CLI_COMMANDS_REPLAY_WALK_H

#include <stdio.h>

#include "session/replaying.h"

typedef struct ser_walk {
    bool step, gdb; /* the caller's to set */
    ser_follower *follower;
    uint64_t from;  /* the first step that is shown */
    uint64_t limit; /* steps after which the program stops next */
    FILE *answers;  /* what the person types */
} ser_walk;

/* Does the walk, which must outlive it. */
ser_replay_watcher ser_walk_watcher(ser_walk *walk);

#endif
