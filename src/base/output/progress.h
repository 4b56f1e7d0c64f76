/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on the terminal that says how far a long job is:
 *
 *     check big.srt  42%  31.2 M events/s  0:07 left
 *     predict big.srt  120 of 400 blocks, 3 violations  0:07 left
 *
 * It appears half a second after the start, changes five times a second, and
 * goes away at the end. Nothing is shown with --quiet or where standard error
 * is no terminal. One job at a time. Not thread-safe.
 */
#ifndef SER_BASE_OUTPUT_PROGRESS_H
#define SER_BASE_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* `what`, such as "check big.srt", must stay valid until the stop. */
void ser_progress_start(const char *what);

/* events so far; done and total measure the input, total is 0 where unknown. */
void ser_progress_update(uint64_t events, uint64_t done, uint64_t total);

/* Would a line be shown now? Words for it need not be made up otherwise. */
bool ser_progress_is_due(void);

/* The same for work other than reading: `words` describes the progress. */
void ser_progress_say(const char *words, uint64_t done, uint64_t total);

void ser_progress_stop(void);

/* Takes the line off the terminal; the next update may show it again. */
void ser_progress_erase(void);

#endif
