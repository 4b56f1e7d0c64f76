/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - one finding of `run` or `explore`, by its id: the files and the command that show it
 * again.
 *
 *     ser_lookup found;
 *     status = ser_lookup_find(&found, "seriatim.out", "463d135d80", error);
 *     ser_lookup_fini(&found);
 */
#ifndef SER_SESSION_REPORTING_LOOKUP_H
#define SER_SESSION_REPORTING_LOOKUP_H

#include "base/json_tree.h"
#include "base/vector.h"

typedef struct ser_lookup {
    ser_json_tree *tree;    /* that texts belong to */
    const char *id;         /* of the entry, also if that of another place of it was asked for */
    char *trace, *schedule; /* files; NULL: none */
    const char *atomic;     /* what --atomic said, or its default */
    uint64_t block;         /* first event of the violated block; 0: none */
    SER_VECTOR(char *) command; /* the program and its arguments; NULL ends them */
} ser_lookup;

/* The id, or its first digits where that is enough, in the output folder of a run or in one that
 * `merge` has made. SER_INPUT if there is no such finding, or
 * several. Also after a failure: ser_lookup_fini. */
ser_status ser_lookup_find(ser_lookup *found, const char *folder, const char *id, ser_error *error);
void ser_lookup_fini(ser_lookup *found);

/* Could it be an id? */
bool ser_is_id(const char *text);

#endif
