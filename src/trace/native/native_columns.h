/* SPDX-License-Identifier: MIT */
/*
 * native_columns.h - reads the columns of a block of events.
 *
 * The file is not trusted: functions return false if a column is longer or shorter than it must be,
 * or refers to something that does not exist.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_COLUMNS_H
#define SER_TRACE_NATIVE_NATIVE_COLUMNS_H

#include "trace/native/native_bytes.h"
#include "trace/native/native_format.h"

/* Finds the columns in the payload of a block. */
bool ser_native_find_columns(ser_native_bytes block,
                             ser_native_bytes columns[SER_NATIVE_MOST_COLUMNS]);

/* Reads numbers below limit, at most one per event. */
bool ser_native_read_list(ser_native_bytes bytes, uint64_t limit, uint32_t events, uint32_t *list,
                          uint32_t *count);

/* Reads for each event a place in a list of key_count entries. Then next[key] is
 * the place of its first event, were the events sorted by key. next has room
 * for SER_NATIVE_LEAST_KEYS, even if key_count is less. */
enum { SER_NATIVE_LEAST_KEYS = 256 };

bool ser_native_read_index(const ser_native_bytes planes[SER_INDEX_PLANES], uint32_t events,
                           uint32_t key_count, uint16_t *index, uint32_t *next);

/* Reads the differences of objects. */
bool ser_native_read_objects(const ser_native_bytes planes[SER_OBJECT_PLANES], uint32_t events,
                             uint32_t *differences);

#endif
