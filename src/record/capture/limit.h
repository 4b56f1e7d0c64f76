/* SPDX-License-Identifier: MIT */
/*
 * limit.h - when recording stops while the program goes on.
 *
 * "10M" or "10Mevents" (k, M, G: thousands), "2Gbytes" (of the file that
 * recording writes), "30s"; several with commas: the first that is reached counts.
 */
#ifndef SER_RECORD_CAPTURE_LIMIT_H
#define SER_RECORD_CAPTURE_LIMIT_H

#include <stdint.h>

#include "base/status.h"

typedef struct ser_limit {
    uint64_t events, bytes; /* UINT64_MAX: no limit */
    double seconds;         /* 0: no limit */
} ser_limit;

/* As many events as an analysis can hold in half of the machine's memory. */
ser_limit ser_limit_standard(void);

/* Reads a text over the standard: what it does not mention is not limited. */
ser_status ser_limit_read(ser_limit *limit, const char *text, ser_error *error);

#endif
