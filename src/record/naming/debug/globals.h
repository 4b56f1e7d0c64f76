/* SPDX-License-Identifier: MIT */
/*
 * globals.h - the names of global variables, from the files of a program.
 *
 * Names are unique: where several modules or files have a variable of one name,
 * the second says which file it is of, or gets a number. C++ names are demangled.
 * O(log n) a search. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_DEBUG_GLOBALS_H
#define SER_RECORD_NAMING_DEBUG_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct ser_global {
    uint64_t start, end;
    char *name; /* owned */
    char *file; /* source file of a static variable, owned; NULL: unknown */
} ser_global;

typedef struct ser_globals {
    SER_VECTOR(ser_global) list; /* sorted by start once ready */
} ser_globals;

/* Adds the variables of a file that is loaded with this difference between
 * addresses in the program and in the file. False if it cannot be read. */
bool ser_globals_add(ser_globals *globals, const char *path, uint64_t base);

/* Once all files are added. */
void ser_globals_ready(ser_globals *globals);

void ser_globals_fini(ser_globals *globals);

/* The variable at an address, NULL if there is none. */
const ser_global *ser_globals_find(const ser_globals *globals, uint64_t address);

#endif
