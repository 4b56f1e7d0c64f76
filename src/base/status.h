/* SPDX-License-Identifier: MIT */
/*
 * status.h - how functions say that something went wrong.
 *
 * A function that can fail for a reason outside this program (bad input, a
 * full disk) returns a ser_status and writes a message that names the place
 * into the ser_error it was given. The values are the exit codes of the
 * command line. A bug of our own is an assertion (ser_check), never a status.
 */
#ifndef SER_BASE_STATUS_H
#define SER_BASE_STATUS_H

#include <stdbool.h>

typedef enum ser_status {
    SER_OK = 0,
    SER_VIOLATION = 1,
    SER_USAGE = 2,
    SER_INPUT = 3,
    SER_UNDECIDED = 4,
    SER_INTERNAL = 5,
} ser_status;

typedef struct ser_error {
    ser_status status;
    char text[1024];
} ser_error;

/* Fills error (which may be NULL) and returns status, so that callers can
 * write `return ser_fail(error, SER_INPUT, "...")`. */
ser_status ser_fail(ser_error *error, ser_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts `prefix: ` before the message of an error that is already filled. */
void ser_error_prefix(ser_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts more at the end of such a message. */
void ser_error_append(ser_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An assertion that stays on in release builds: prints the place, exits 5. */
#define ser_check(condition)                                                                       \
    ((condition) ? (void)0 : ser_check_failed(#condition, __FILE__, __LINE__))

_Noreturn void ser_check_failed(const char *condition, const char *file, int line);

#endif
