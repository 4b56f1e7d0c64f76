/* SPDX-License-Identifier: MIT */
/*
 * native_names.h - names of threads, variables, ..., sites in native files.
 *
 * Names travel ahead of the events that use them, each table from 0 upwards,
 * so that a file can be written and read in one pass. A file's numbers are
 * those of the symbols of its writer; the reader's may differ (if its symbols had names before),
 * and then a map translates them.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_NAMES_H
#define SER_TRACE_NATIVE_NATIVE_NAMES_H

#include "base/vector.h"
#include "trace/native/native_block.h"
#include "trace/symbols.h"

/* Writing: how many names of each table are in the file, or kept for it. */
typedef struct ser_native_names_out {
    const ser_symbols *symbols;
    uint32_t count[SER_NATIVE_TABLES];
    SER_VECTOR(uint8_t) heads; /* functions and lengths */
    SER_VECTOR(uint8_t) texts;
} ser_native_names_out;

void ser_native_names_out_init(ser_native_names_out *names, const ser_symbols *symbols);
void ser_native_names_out_fini(ser_native_names_out *names);

/* Blocks of the names that are not in the file yet; so many events are. */
void ser_native_names_keep(ser_native_names_out *names, ser_native_kept *kept, uint64_t events);

/* Reading. While the file's numbers are the reader's, maps stay empty. */
typedef struct ser_native_names_in {
    ser_symbols *symbols;
    bool skip_sites; /* they are counted, but not added to symbols */
    bool same;       /* numbers of all spaces are the reader's (sites may differ) */
    uint32_t count[SER_NATIVE_TABLES];
    SER_VECTOR(uint32_t) map[SER_NATIVE_TABLES];
} ser_native_names_in;

void ser_native_names_in_init(ser_native_names_in *names, ser_symbols *symbols, bool skip_sites);
void ser_native_names_in_fini(ser_native_names_in *names);

/* Takes in the payload of a block of names; NULL, or what is wrong with it. */
const char *ser_native_names_unpack(ser_native_names_in *names, const uint8_t *bytes, size_t size);

/* The reader's number for a number of the file, which must be below count. */
static inline uint32_t ser_native_number(const ser_native_names_in *names, unsigned table,
                                         uint32_t number)
{
    return names->map[table].count == 0 ? number : names->map[table].items[number];
}

#endif
