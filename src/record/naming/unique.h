/* SPDX-License-Identifier: MIT */
/*
 * unique.h - new names for things, of which no two of a space get the same.
 *
 * A name that is taken gets a number: "x #2". Whether it is taken is checked some names later, when
 * the prefetched entry has arrived from memory; so names are final only once they are settled.
 * Memory: distinct.h. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_UNIQUE_H
#define SER_RECORD_NAMING_UNIQUE_H

#include "base/pairmap.h"
#include "record/naming/distinct.h"
#include "trace/symbols.h"

enum { SER_UNIQUE_PENDING = 32 };

typedef struct ser_pending_name {
    uint64_t hash;
    uint32_t number;
    ser_space space;
} ser_pending_name;

typedef struct ser_unique {
    ser_symbols *symbols; /* not ours */
    ser_distinct taken;
    ser_pairmap numbers;    /* (hash, 0) of a name that was taken to the last number it got */
    uint64_t made, settled; /* names */
    ser_pending_name pending[SER_UNIQUE_PENDING];
} ser_unique;

void ser_unique_init(ser_unique *unique, ser_symbols *symbols);
void ser_unique_fini(ser_unique *unique);

/* The number of the new name. */
uint32_t ser_unique_add(ser_unique *unique, ser_space space, const char *text, size_t length);

/* All names that were added are final from here on. */
void ser_unique_settle(ser_unique *unique);

#endif
