/* SPDX-License-Identifier: MIT */
/*
 * guard_list.h - the text of a load while it is made: guards with semicolons between them, each
 * once.
 */
#ifndef SER_INSTRUMENT_GUARDS_GUARD_LIST_H
#define SER_INSTRUMENT_GUARDS_GUARD_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ser_guard_list {
    char *text; /* of `size` bytes */
    size_t size, length;
    unsigned count;
} ser_guard_list;

/* False, and nothing was added: there are too many, or no room for it. A guard that is `late`
 * counts for the last round of a loop only. */
bool ser_guard_list_add(ser_guard_list *list, const char *guard, bool is_late);

/* Puts something before all guards; false: there is no room for it. */
bool ser_guard_list_put_before(ser_guard_list *list, const char *format, ...);

#endif
