/* SPDX-License-Identifier: MIT */
/*
 * inversion.h - locks that threads take in both orders, or around a circle: a deadlock that a run
 * did not have.
 *
 * One thread takes lock B while it holds A, another one A while it holds B, and no third lock is
 * held at both places. The other order of the inner lock of the one that came first and the outer
 * lock of the other (reversal.h) is the schedule: each thread then holds what the other one wants.
 *
 * Of three threads and more each takes what the next one holds, the last one what the first holds:
 * each runs alone until it has its outer lock.
 */
#ifndef SER_EXPLORE_INVERSION_H
#define SER_EXPLORE_INVERSION_H

#include "explore/reversal.h"

/* Appends a reversal of two acquires for each pair of locks that is taken in both orders; `write`
 * is the earlier one. O(events * locks held at once). */
void ser_inversions_find(const ser_run *run, ser_reversal_list *list);

/* Two locks, one inside the other: where they are taken. */
typedef struct ser_nesting {
    uint32_t outer, inner;
} ser_nesting;

enum { SER_LONGEST_CIRCLE = 8 };

typedef struct ser_lock_circle {
    ser_nesting steps[SER_LONGEST_CIRCLE]; /* the one that came first is the first */
    uint32_t count;
} ser_lock_circle;

typedef SER_VECTOR(ser_lock_circle) ser_lock_circle_list;

/* Appends circles of three threads and more, each set of first places once. Bounded. */
void ser_lock_circles_find(const ser_run *run, ser_lock_circle_list *list);

/* Appends the interleaving. O(events). */
void ser_lock_circle_make(const ser_run *run, const ser_lock_circle *circle, ser_event_list *order);

#endif
