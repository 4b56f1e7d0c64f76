/* SPDX-License-Identifier: MIT */
/*
 * made_bug.h - bugs for unit tests, predicted ones. Variables are single letters, each of which is
 * read once, at a place of its own; the key is function and variables.
 */
#ifndef MADE_BUG_H
#define MADE_BUG_H

#include <stdio.h>

#include "bugs/bugs.h"

static inline char *made_text(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

static inline ser_bug *made_bug_add(ser_bugs *bugs, ser_intention intention, const char *function,
                                    const char *variables)
{
    char key[64];
    snprintf(key, sizeof key, "%s|%s", intention == SER_INTENTION_COMPOUND ? "" : function,
             variables);
    ser_bug bug = {.intention = intention,
                   .status = SER_BUG_PREDICTED,
                   .label = made_text(""),
                   .function = made_text(function),
                   .location = made_text("a.c:1"),
                   .key = made_text(key),
                   .blocks = 1};
    for (; *variables; variables++) {
        ser_bug_access access = {.thread = made_text("T1"),
                                 .variable = ser_copy_text(variables, 1),
                                 .function = made_text(function),
                                 .location = ser_copy_text(variables, 1),
                                 .operation = "reads",
                                 .in_block = true};
        ser_vector_push(&bug.accesses, access);
        ser_vector_push(&bug.variables, ser_copy_text(variables, 1));
    }
    ser_vector_push(&bugs->list, bug);
    return &bugs->list.items[bugs->list.count - 1];
}

#endif
