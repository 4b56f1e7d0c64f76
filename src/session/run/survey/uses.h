/* SPDX-License-Identifier: MIT */
/*
 * uses.h - which threads of a run use a variable, and which write it: does an access conflict with
 * any of another thread?
 *
 *     ser_uses uses = {0};
 *     ser_uses_find(&uses, run);
 *     if (ser_uses_conflict(&uses, &run->events[i])) ...
 *     ser_vector_free(&uses);
 */
#ifndef SER_SESSION_RUN_SURVEY_USES_H
#define SER_SESSION_RUN_SURVEY_USES_H

#include "order/run.h"

typedef struct ser_use {
    uint64_t users, writers;
} ser_use;

typedef SER_VECTOR(ser_use) ser_uses; /* by variable */

/* What a thread does while no other one runs does not count: before it creates one, or when all
 * that it has created were joined. O(events). It is empty by then. */
void ser_uses_find(ser_uses *uses, const ser_run *run);

/* Do they conflict, or do others write what is accessed? False of what is no access. */
bool ser_uses_conflict(const ser_uses *uses, const ser_event *event);
bool ser_uses_others_write(const ser_uses *uses, const ser_event *event);

#endif
