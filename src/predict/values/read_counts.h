/* SPDX-License-Identifier: MIT */
/*
 * read_counts.h - how many reads of a run the model `guards` follows, and why not the others.
 *
 * Only reads count that another order could give another value: of variables that several threads
 * use, and one of them writes.
 */
#ifndef SER_PREDICT_VALUES_READ_COUNTS_H
#define SER_PREDICT_VALUES_READ_COUNTS_H

#include "order/run.h"

/* What another value means to a read; from SER_READ_UNFOLLOWED on, only an equal value is accepted.
 */
typedef enum ser_read_kind {
    SER_READ_GUARDED,       /* its guards decide */
    SER_READ_STORED,        /* none: it is only stored */
    SER_READ_NO_EXPRESSION, /* the compiler found no expression for what it decides */
    SER_READ_NO_VALUE,      /* no value was recorded: a range, or a part of a larger access */
    SER_READ_TORN,     /* the trace lacks writes of the variable, or its address was used again */
    SER_READ_EXCHANGE, /* a compare-exchange, or an update without expression */
    SER_READ_NO_TEXT,  /* its expression is missing in the trace: too many, or not recorded */
    SER_READ_UNEXPLAINED, /* its expression does not fit to what was recorded, or names what is not
                             known */
    SER_READ_ELIDED,      /* the same in a thread of which operations were elided before */
    SER_READ_KINDS,
    SER_READ_UNFOLLOWED = SER_READ_NO_EXPRESSION
} ser_read_kind;

typedef struct ser_read_counts {
    uint64_t all;
    uint64_t kinds[SER_READ_KINDS];
} ser_read_counts;

/* The run needs its symbols. O(events + texts). */
ser_read_counts ser_read_counts_of(const ser_run *run);

/* As a key of a report, "no_expression", and for people. */
const char *ser_read_kind_name(ser_read_kind kind);
const char *ser_read_kind_words(ser_read_kind kind);

#endif
