/* SPDX-License-Identifier: MIT */
/*
 * log.h - messages to users on standard error: "seriatim: ..." lines.
 *
 * A progress line that stands on the terminal is erased first. Not
 * thread-safe.
 */
#ifndef SER_BASE_OUTPUT_LOG_H
#define SER_BASE_OUTPUT_LOG_H

#include <stdbool.h>

#include "base/status.h"

/* With --quiet there are neither messages nor warnings, and no progress. */
void ser_log_set_quiet(bool quiet);
bool ser_log_is_quiet(void);

/* Information, and a warning. */
void ser_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ser_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why the command failed. Not silenced by --quiet. */
void ser_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
