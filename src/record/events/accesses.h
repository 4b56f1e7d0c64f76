/* SPDX-License-Identifier: MIT */
/*
 * accesses.h - inside of events.h: accesses of memory, most of all records.
 *
 * The survey has cut every object into cells, so that each access has all bytes of its cells: cells
 * are the variables of the trace. An access of one cell is one event; an access of several is one
 * multi-variable access; a range, whose bytes were not accessed at once, is a row of events of the
 * same operation. An access that was seen before (maker->recall) costs O(1); others look up the
 * object and its cells.
 */
#ifndef SER_RECORD_EVENTS_ACCESSES_H
#define SER_RECORD_EVENTS_ACCESSES_H

#include "record/events/events.h"

/* A read, write or both. One of more than 8 bytes waits for the record after it. */
void ser_accesses_add(ser_event_maker *maker, const ser_record *record);

/* With maker->has_wide: the access that waits ends with these bytes of its value. */
void ser_accesses_end(ser_event_maker *maker, uint64_t rest);

/* SER_RAW_RANGE_READ, SER_RAW_RANGE_WRITE and SER_RAW_RANGE_FREE. */
void ser_accesses_add_range(ser_event_maker *maker, const ser_record *record);

/* SER_RAW_PAIR_WRITE and SER_RAW_PAIR_UPDATE. */
void ser_accesses_add_pair(ser_event_maker *maker, const ser_record *record);

/* SER_RAW_RENEW: the cells there are new variables from here on. */
void ser_accesses_renew(ser_event_maker *maker, const ser_record *record);

#endif
