/* SPDX-License-Identifier: MIT */
/*
 * cuts.h - where accesses begin and end inside objects, and the variables between.
 *
 * While the run is recorded every access [a, a + n) cuts its object at a and at
 * a + n; ranges cut at their ends. Once the run is over, what lies between two
 * neighbouring cuts is a *cell*: no access ever began or ended inside it, so that
 * every access is made of whole cells, and two accesses share a byte iff they share
 * a cell. Cells are the variables of the trace (docs/recording.md).
 *
 * Memory: a bit for a byte of what was touched, in pieces of 512 bytes, and eight
 * bytes for each object; for each cell that a variable was asked for, four bytes
 * more. Expected O(1) an operation. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_CUTS_H
#define SER_RECORD_MEMORY_CUTS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "record/memory/objects.h"

enum { SER_CUTS_WORDS = 8, SER_CUTS_CHUNK = 64 * SER_CUTS_WORDS, SER_CUTS_CACHE = 1024 };

typedef struct ser_cut_chunk {
    uint64_t words[SER_CUTS_WORDS];
    uint16_t before[SER_CUTS_WORDS]; /* cuts in the words before; once variables is there */
    uint32_t *variables;             /* one for each cut; NULL until one is asked for */
} ser_cut_chunk;

/* Where a chunk was found; number is one more, 0: nothing here. */
typedef struct ser_cut_found {
    uint64_t place;
    uint32_t id, number;
} ser_cut_found;

typedef struct ser_cuts {
    SER_VECTOR(uint64_t) small; /* by id: the cuts of objects of at most 64 bytes */
    ser_pairmap chunk_numbers;  /* (id, offset / SER_CUTS_CHUNK) */
    ser_pairmap regions;        /* which parts of large objects have chunks (cuts.c) */
    SER_VECTOR(ser_cut_chunk) chunks;
    ser_cut_found cache[SER_CUTS_CACHE];
} ser_cuts;

void ser_cuts_init(ser_cuts *cuts);
void ser_cuts_fini(ser_cuts *cuts);

/* Cuts the object at both ends of [offset, end), which lies inside it. */
void ser_cuts_add(ser_cuts *cuts, const ser_memory_object *object, uint64_t offset, uint64_t end);

/* Neighbouring cells of an object, as many as one look finds. */
typedef struct ser_cells {
    size_t count;
    uint32_t *variables; /* of each, where its variable's number is kept, plus one: 0 until the
                            caller sets it. Valid until the object ends */
    uint64_t starts[SER_CUTS_CHUNK + 1]; /* offsets; and where the last one ends */
} ser_cells;

/* The cells of [offset, end), from the first on; those of the rest are found from where the
 * last one ends. False if there is no cut at offset. Once cells were asked for, the object
 * may not be cut any more. */
bool ser_cuts_cells(ser_cuts *cuts, ser_memory_object *object, uint64_t offset, uint64_t end,
                    ser_cells *cells);

#endif
