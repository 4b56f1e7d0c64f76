/* SPDX-License-Identifier: MIT */
/*
 * pointers.h - the variables that allocated objects are known by: `queue`, where the program says
 * `queue = malloc(...)` once.
 *
 * Traces have no addresses of objects, only where they were allocated. An object gets the name of a
 * variable if that is written once in the run, with what can only be a pointer, in the line of the
 * allocation, and if this line allocated one object and wrote no other such variable. So it is a
 * name for people to read, and nothing that a verdict may depend on.
 */
#ifndef SER_REPORT_DOSSIER_POINTERS_H
#define SER_REPORT_DOSSIER_POINTERS_H

#include "order/run.h"

typedef struct ser_pointer {
    const char *location; /* where the object was allocated, "bank.c:12" */
    uint32_t variable;    /* SER_NO_OBJECT: there are several */
} ser_pointer;

typedef SER_VECTOR(ser_pointer) ser_pointers;

/* Texts are the run's. O(events). */
void ser_pointers_find(ser_pointers *pointers, const ser_run *run);

/* The variable's name for "bank.c:12 (1st)", of that length; NULL: there is none. */
const char *ser_pointers_name(const ser_pointers *pointers, const ser_symbols *symbols,
                              const char *place, size_t length);

#endif
