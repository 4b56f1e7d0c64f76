/* SPDX-License-Identifier: MIT */
/*
 * child.h - a command run by the shell, with pipes to its input and from its output.
 *
 * What it writes, standard error included, is collected. Ending the child ends all that it started,
 * and nothing is left behind: no process, no zombie, no pipe. The caller's signals are not touched;
 * a child that goes away while it is being written to is no reason to die. Not thread-safe, but
 * each thread may have its own.
 */
#ifndef SER_PREDICT_SMT_SOLVER_CHILD_H
#define SER_PREDICT_SMT_SOLVER_CHILD_H

#include <sys/types.h>

#include "predict/search.h"
#include "predict/smt/formula/smtlib.h"

typedef struct ser_child {
    pid_t process;     /* leads a process group of its own */
    int input, output; /* our ends of the pipes; -1: closed */
    ser_text received; /* all that it wrote; a NUL follows that is not counted */
} ser_child;

/* memory: bytes it may use, 0 for no limit. False: it could not be started. */
bool ser_child_start(ser_child *child, const char *command, size_t memory);

/* Kills it if it still runs. Afterwards only ser_child_fini may be called. */
void ser_child_end(ser_child *child);
void ser_child_fini(ser_child *child);

/* Asked whenever something was received: is it enough? */
typedef bool ser_child_enough(void *listener, const ser_text *received);

/*
 * Writes the text (NULL: there is none) and receives until there is enough or the
 * child has closed its output; a child that writes without end is cut off. Returns
 * false, with the reason, if time is over or a stop was asked for.
 */
bool ser_child_talk(ser_child *child, const ser_text *text, ser_child_enough *enough,
                    void *listener, const ser_search_options *options, ser_reason *reason);

/* Closes its input. */
void ser_child_hang_up(ser_child *child);

#endif
