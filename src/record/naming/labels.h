/* SPDX-License-Identifier: MIT */
/*
 * labels.h - what the things of a recording are called in its trace.
 *
 *     counter, accounts+16                     global variables, by symbol
 *     balance of struct account (accounts+16)  the same, with what the site calls it
 *     balance of struct account, allocated at bank.c:12 (3rd)
 *     +8 of block allocated at bank.c:12 (3rd)
 *     x of worker() in T2                      a local variable
 *
 * Names do not depend on addresses of heap and stack, so that they stay the same
 * from run to run; and no two things of a kind have the same. Locks, conditions,
 * barriers and semaphores are named like variables. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_LABELS_H
#define SER_RECORD_NAMING_LABELS_H

#include "record/capture/definitions.h"
#include "record/memory/memory.h"
#include "record/naming/fields.h"
#include "trace/symbols.h"

typedef struct ser_labels ser_labels;

/* By number in the recording: the number in the trace plus one; 0, or not there: not asked for
 * yet, or none. */
typedef SER_VECTOR(uint32_t) ser_label_numbers;

/* What each event needs, for direct access by the code that makes events. */
typedef struct ser_labels_known {
    ser_label_numbers threads, sites, functions;
} ser_labels_known;

/* All three must outlive the labels. Reads symbols and debug information of the program's
 * modules. */
ser_labels *ser_labels_create(const ser_definitions *definitions, const ser_fields *fields,
                              ser_symbols *symbols);
void ser_labels_destroy(ser_labels *labels);

/* Which build of the program was recorded, as text; empty if that is not known. To be freed. */
char *ser_labels_build(const ser_labels *labels);

/* An object begins: sets object->instance. */
void ser_labels_begin(ser_labels *labels, ser_memory_object *object);

/* A new name for what starts at an offset of an object, accessed at a site. */
uint32_t ser_labels_memory(ser_labels *labels, ser_space space, const ser_memory_object *object,
                           uint64_t offset, uint32_t site);

/* Such names may still get a number behind them until they are settled. */
void ser_labels_settle(ser_labels *labels);

/* What was asked for so far by the functions below; valid as long as the labels. */
const ser_labels_known *ser_labels_all_known(const ser_labels *labels);

/* The numbers of a thread, of a site (SER_NO_SITE for none), of a site's function, and of
 * a block's label (SER_NO_OBJECT for none). */
/* The variable of a thread's anchors, which stand for its elided operations (elisions.h). */
uint32_t ser_labels_anchor(ser_labels *labels, uint32_t thread);
/* A part of a stream (record/events/streams.h) that no other call has named. */
uint32_t ser_labels_stream(ser_labels *labels, uint64_t identity, int part);
uint32_t ser_labels_thread(ser_labels *labels, uint32_t thread);
uint32_t ser_labels_site(ser_labels *labels, uint32_t site);
uint32_t ser_labels_function(ser_labels *labels, uint64_t site);
uint32_t ser_labels_block(ser_labels *labels, uint64_t text);

#endif
