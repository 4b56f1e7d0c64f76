/* SPDX-License-Identifier: MIT */
/*
 * offspring.h - the processes that a program has started, down to daemons of daemons.
 *
 * From ser_offspring_adopt on, processes whose parent ends become our children instead of
 * init's (PR_SET_CHILD_SUBREAPER), also those that have a session of their own. So all that a
 * run has left can be found and ended. A process group would not do: a program that daemonises
 * leaves it, and one in the background must not use the terminal.
 */
#ifndef SER_RECORD_CAPTURE_PROGRAM_OFFSPRING_H
#define SER_RECORD_CAPTURE_PROGRAM_OFFSPRING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vector.h"

typedef struct ser_offspring {
    bool adopts;
    SER_VECTOR(pid_t) before; /* children that we had already, from before an exec */
} ser_offspring;

/* Before the program starts, or before it is ended. A second time it does nothing. */
void ser_offspring_adopt(ser_offspring *offspring, pid_t program);

/* Ends all that came since, if there was an ser_offspring_adopt; the program itself has ended
 * and been waited for. Takes two seconds at most. */
void ser_offspring_end(ser_offspring *offspring);

#endif
