/* SPDX-License-Identifier: MIT */
/*
 * interruptions.h - between which two accesses could another thread have come?
 *
 * A thread makes two accesses that conflict with some of another one: between them it may be
 * stopped, and the other go on as far as it can. Of the same code (first functions of the threads,
 * places and variables) two interruptions are enough, the first and the last of a run, however
 * often it comes: loops go wrong at their ends. What a thread does before it creates the other one
 * or after it has seen its end does not count. That bugs of
 * small programs mostly need one such switch is the experience of Musuvathi and Qadeer, "Iterative
 * Context Bounding for Systematic Testing of Multithreaded Programs".
 */
#ifndef SER_EXPLORE_INTERRUPTIONS_H
#define SER_EXPLORE_INTERRUPTIONS_H

#include "base/names.h"
#include "order/run.h"

typedef struct ser_interruption {
    uint32_t thread, other; /* in the run */
    uint32_t stop;          /* the event before which the thread stops */
    bool splits;            /* two uses of one variable between which the other uses it, in a way
                               that no serial order has: such are the most promising */
    uint32_t wait;          /* a wait of the thread before that which another one ended; 0: none. It
                               goes to its wait first, then the one that wakes it as far as it can */
    uint32_t waker;         /* that thread, if there is such a wait; not the other one */
} ser_interruption;

typedef SER_VECTOR(ser_interruption) ser_interruption_list;

/* Appends those of the run whose names are not known yet, and adds their names. A thread stops
 * before it takes the locks of its second access. O(events * kinds of threads^2), and nothing for
 * runs for which that is a lot. */
void ser_interruptions_find(const ser_run *run, ser_names *known, ser_interruption_list *list);

#endif
