/* SPDX-License-Identifier: MIT */
/*
 * streams.h - standard input, output and error, so that no write error goes unnoticed.
 */
#ifndef SER_CLI_STREAMS_H
#define SER_CLI_STREAMS_H

#include "base/status.h"

/*
 * Once, before anything is opened or written. From now on a write that no process
 * can receive (a closed pipe, a limit on file sizes) fails, as on a full disk,
 * instead of ending the process.
 */
void ser_streams_prepare(void);

/* What is left in the buffer of standard output is written. If results could not be written:
 * SER_INPUT and a message, else status. */
ser_status ser_streams_finish(ser_status status);

#endif
