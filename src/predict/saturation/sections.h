/* SPDX-License-Identifier: MIT */
/*
 * sections.h - the critical sections of a task, by lock, thread and mode.
 *
 * A section is what a thread does between an acquire and its release, both included.
 * A thread may hold a lock exclusively and shared as well; these are two sections.
 * Read-only once made.
 */
#ifndef SER_PREDICT_SATURATION_SECTIONS_H
#define SER_PREDICT_SATURATION_SECTIONS_H

#include "predict/task/must.h"

typedef struct ser_section {
    uint32_t lock, thread;
    uint32_t acquire; /* SER_TASK_START: open at the start */
    uint32_t release; /* SER_TASK_NONE: never ends */
    bool shared;
} ser_section;

/* The sections of one thread with one lock and in one mode, one after the other in
 * program order: all[first .. first + count). */
typedef struct ser_section_group {
    uint32_t lock, thread, first, count;
    bool shared;
} ser_section_group;

typedef struct ser_sections {
    SER_VECTOR(ser_section) all;
    SER_VECTOR(ser_section_group) groups; /* by lock; without locks that only one thread uses */
} ser_sections;

/* Of the steps that can happen, with variables that are used as locks (flag_locks.h). O(steps +
 * sections * log sections). */
void ser_sections_init(ser_sections *sections, const ser_must *must);
void ser_sections_fini(ser_sections *sections);

/* Can no section of the one be open at the same time as one of the other? */
static inline bool ser_groups_exclude(const ser_section_group *a, const ser_section_group *b)
{
    return a->lock == b->lock && a->thread != b->thread && !(a->shared && b->shared);
}

#endif
