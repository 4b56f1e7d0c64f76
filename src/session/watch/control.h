/* SPDX-License-Identifier: MIT */
/*
 * control.h - a watcher takes commands from other processes, by a socket in its output folder.
 *
 * A command is one word and a line feed; the answer is one line, up to the end. Not thread-safe.
 */
#ifndef SER_SESSION_WATCH_CONTROL_H
#define SER_SESSION_WATCH_CONTROL_H

#include <stdbool.h>

#include "base/status.h"

typedef struct ser_control ser_control;

enum { SER_CONTROL_WORD = 32 };

/* SER_INPUT if another watcher uses the folder. Without a socket, where there can be none, no
 * command ever comes. */
ser_status ser_control_open(ser_control **control, const char *folder, ser_error *error);
void ser_control_close(ser_control *control); /* accepts NULL */

/* Has a command come? It is to be answered. Does not wait. */
bool ser_control_next(ser_control *control, char word[SER_CONTROL_WORD]);
void ser_control_answer(ser_control *control, const char *text);

/* The other side: sends a command to the watcher of the folder, and prints the answer. */
ser_status ser_control_tell(const char *folder, const char *word, ser_error *error);

#endif
