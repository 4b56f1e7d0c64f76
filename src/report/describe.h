/* SPDX-License-Identifier: MIT */
/*
 * describe.h - how reports name a trace, its events and what is in it, in text and
 * in JSON.
 */
#ifndef SER_REPORT_DESCRIBE_H
#define SER_REPORT_DESCRIBE_H

#include <stdio.h>

#include "base/output/json.h"
#include "trace/symbols.h"

/* How large the part of the trace is that was analysed. */
typedef struct ser_trace_size {
    uint64_t events, threads, locks, variables, blocks;
} ser_trace_size;

/* "1 lock", "2 locks". */
void ser_describe_count(FILE *file, uint64_t count, const char *noun);

/* "bank.std: 21 events, 3 threads, 2 locks, 2 variables, 2 blocks", and a line break. */
void ser_describe_trace(FILE *file, const char *path, const ser_trace_size *size);

/* The same of a recorded trace, and why it was refused (NULL: it was not). One that was refused
 * before it was read to its end has no counts. */
void ser_describe_recorded(FILE *file, const char *path, const ser_trace_size *size,
                           const char *refused);

/* "to replay: seriatim replay run.srt --atomic locks", without an end; atomic may be NULL. */
void ser_describe_replay(FILE *file, const char *path, const char *atomic);

/* "acq(m)", or "end" where there is no operand; cut off where text is full. */
void ser_describe_operation(const ser_symbols *symbols, const ser_event *event, char *text,
                            size_t size);

/* The object "trace" of the command line's contract, with its key. */
void ser_describe_trace_json(ser_json *json, const char *path, const ser_trace_size *size);

/* Its fields alone. */
void ser_describe_trace_fields_json(ser_json *json, const char *path, const ser_trace_size *size);

/* A key and a name, or a location (null where there is none). */
void ser_describe_name_json(ser_json *json, const char *key, const ser_symbols *symbols,
                            ser_space space, uint32_t number);
void ser_describe_location_json(ser_json *json, const char *key, const ser_symbols *symbols,
                                uint32_t site);

#endif
