/* SPDX-License-Identifier: MIT */
/*
 * spooled.h - inside of record.h: from a run whose records are all in the spool to its trace.
 */
#ifndef SER_RECORD_SPOOLED_H
#define SER_RECORD_SPOOLED_H

#include "record/record.h"

typedef struct ser_spooled {
    const ser_record_options *options;
    ser_record_outcome *outcome; /* gets what became of the trace */
    const char *spool;           /* path */
    ser_record_survey *survey;   /* of its records */
    uint64_t lost;               /* records, by the runtime's count */
    bool is_disk_full;
} ser_spooled;

/* On success there is no spool any more; otherwise the message says where it is. */
ser_status ser_spooled_make_trace(const ser_spooled *run, ser_error *error);

#endif
