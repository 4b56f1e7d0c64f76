/* SPDX-License-Identifier: MIT */
/*
 * past.h - what a recording that begins in the middle of a run must know of the part before it.
 *
 *     ser_past *past = ser_past_create();
 *     ser_past_add(past, records, count);      again and again: these are over
 *     ser_past_write(past, put, context);      as records, with which a spool may begin
 *     ser_past_destroy(past);
 *
 * That is: texts, sites and modules; threads; memory that is allocated; calls and blocks that are
 * open; locks that are held; waits that are pending; posts that nobody has taken, and bytes that
 * nobody has received. Values of variables are not part of it: a trace that begins later says
 * nothing of what was written before. Forks are not, either: threads that run are there from its
 * start. For recordings without elision, whose counts refer to the beginning of the run.
 *
 * Memory: that of the program's definitions and of its state, not of the length of the run. Not
 * thread-safe.
 */
#ifndef SER_RECORD_PAST_H
#define SER_RECORD_PAST_H

#include "contract/channel.h"

typedef struct ser_past ser_past;

ser_past *ser_past_create(void);
void ser_past_destroy(ser_past *past); /* accepts NULL */

void ser_past_add(ser_past *past, const ser_record *records, size_t count);

/* Calls `put` with the records, in several portions. */
void ser_past_write(const ser_past *past,
                    void (*put)(void *context, const ser_record *records, size_t count),
                    void *context);

/* A record that becomes a skip event, to be put between the past and the records after it. */
ser_record ser_past_mark_end(const ser_record *after, size_t count);

/* May the past end before this record, which is the next? Not within an operation of several
 * records. */
bool ser_past_may_end(const ser_past *past, const ser_record *next);

#endif
