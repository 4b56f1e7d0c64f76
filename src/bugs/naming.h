/* SPDX-License-Identifier: MIT */
/*
 * naming.h - names of functions and variables for the keys of bugs.
 */
#ifndef SER_BUGS_NAMING_H
#define SER_BUGS_NAMING_H

#include "trace/symbols.h"

/* The function an event lies in; "" if it is not known. */
const char *ser_bug_function(const ser_symbols *symbols, const ser_event *event);

/*
 * A variable's name without what distinguishes one object from another of its kind:
 * "balance of struct account, allocated at bank.c:12 (3rd)" is "balance of struct
 * account", "accounts+16" is "accounts". To be freed.
 */
char *ser_bug_kind_of_variable(const char *name);

enum { SER_BUG_ID_SIZE = 24 };

/* Ten digits that depend on the key alone; the second and later ones of a key have their number
 * appended. */
void ser_bug_make_id(char id[SER_BUG_ID_SIZE], const char *key, unsigned number);

#endif
