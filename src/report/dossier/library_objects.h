/* SPDX-License-Identifier: MIT */
/*
 * library_objects.h - objects on the heap that a header of the system allocates, by the function
 * of the program that asked for them: pair{Shop::add() (1st)} instead of pair{stl_tree.h:2461
 * (1st)}.
 *
 * Traces name the line of the allocation, which for elements of containers is one of the library,
 * and the same for all containers of a kind. The first access of an object is its construction, in
 * the calls that have allocated it. Objects of one function are numbered by their first accesses.
 * Names for people to read, which no verdict may depend on. Texts are owned by the table.
 */
#ifndef SER_REPORT_DOSSIER_LIBRARY_OBJECTS_H
#define SER_REPORT_DOSSIER_LIBRARY_OBJECTS_H

#include "base/names.h"
#include "order/run.h"

typedef struct ser_library_objects {
    ser_names *places;          /* "stl_tree.h:2461 (1st)" */
    SER_VECTOR(char *) callers; /* by place: "Shop::add() (1st)", or NULL: it stays as it is */
} ser_library_objects;

/* Expected O(events + sites). */
void ser_library_objects_find(ser_library_objects *objects, const ser_run *run);
void ser_library_objects_fini(ser_library_objects *objects);

/* NULL: the program's own code allocated it, or it is not known which function of it did. */
const char *ser_library_objects_caller(const ser_library_objects *objects, const char *place,
                                       size_t length);

#endif
