/* SPDX-License-Identifier: MIT */
/*
 * unmatched.h - lines of a file of functions that match no function of a trace.
 */
#ifndef SER_TRACE_BLOCKS_UNMATCHED_H
#define SER_TRACE_BLOCKS_UNMATCHED_H

#include "base/vector.h"
#include "trace/blocks/function_spec.h"
#include "trace/symbols.h"

typedef struct ser_unmatched_line {
    char *line;
    char *nearest; /* name of a function of the trace; NULL: none is near */
} ser_unmatched_line;

typedef struct ser_unmatched {
    SER_VECTOR(ser_unmatched_line) list;
    size_t lines; /* of the file that name functions; 0: there is no file */
} ser_unmatched;

/* In the trace that the symbols are of, read to its end. O(lines * functions). */
ser_unmatched ser_unmatched_find(const ser_function_spec *spec, const ser_symbols *symbols);
void ser_unmatched_fini(ser_unmatched *unmatched);

/* Keeps only those that are in the other, too: lines match nothing if they do so in all traces. */
void ser_unmatched_keep(ser_unmatched *unmatched, const ser_unmatched *other);

#endif
