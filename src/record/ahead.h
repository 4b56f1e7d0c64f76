/* SPDX-License-Identifier: MIT */
/*
 * ahead.h - a spool, read by a thread of its own, a block ahead of who needs it.
 *
 * Reading and unpacking is a third of the work of a pass over a spool. One thread
 * may use it.
 */
#ifndef SER_RECORD_AHEAD_H
#define SER_RECORD_AHEAD_H

#include "record/spool.h"

typedef struct ser_ahead ser_ahead;

ser_status ser_ahead_open(ser_ahead **ahead, const char *path, ser_error *error);

/* The next block's records, valid until the next call; *count is 0 at the end, as in
 * ser_spool_next. */
ser_status ser_ahead_next(ser_ahead *ahead, const ser_record **records, size_t *count,
                          ser_error *error);

/* Did the spool end before its end? Once all was read. */
bool ser_ahead_is_cut(const ser_ahead *ahead);

/* Also NULL. */
void ser_ahead_close(ser_ahead *ahead);

#endif
