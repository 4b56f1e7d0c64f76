/* SPDX-License-Identifier: MIT */
/*
 * runtime_log.h - prints what the runtime logs for developers (contract/logbook.h).
 */
#ifndef SER_RECORD_CAPTURE_PROGRAM_RUNTIME_LOG_H
#define SER_RECORD_CAPTURE_PROGRAM_RUNTIME_LOG_H

#include "contract/channel.h"

/* What of the log for developers is the runtime's: bits for the channel; 0: it logs nothing. */
uint32_t ser_runtime_log_wanted(void);

/* Prints the lines from number *next on that have been published, and sets *next behind them.
 * `dead`: the program has ended, and a line that is not there by now will not come. */
void ser_runtime_log_print(const ser_channel *channel, bool dead, uint64_t *next);

#endif
