/* SPDX-License-Identifier: MIT */
/*
 * waits.h - who waits for whom when all threads wait, from the lines in which the recorder says so.
 *
 * Most of the threads of a deadlock only happen to wait: for a lock that the others hold, or for
 * their end. Those that make it are a cycle of threads, each with a lock that the one before it
 * wants; if there is none, those that wait for something that no thread has to give back.
 */
#ifndef SER_BUGS_WAITS_H
#define SER_BUGS_WAITS_H

#include <stdbool.h>

#include "base/vector.h"

/* "T1 waits at a.c:9 for lock l, which T2 holds" */
typedef struct ser_wait_line {
    const char *text; /* not owned */
    int length;
    int waiter, holder; /* -1: nobody holds it */
    bool is_lock, is_condition, is_join;
} ser_wait_line;

typedef SER_VECTOR(ser_wait_line) ser_wait_lines;

/* To be freed (ser_vector_free). */
ser_wait_lines ser_waits_parse(const char *waits);

/* The line of a thread. NULL: it does not wait. */
const ser_wait_line *ser_wait_of(const ser_wait_lines *all, int thread);

/* Does the thread wait for a lock whose holder waits for one, and so on, until it is the thread? */
bool ser_wait_is_in_cycle(const ser_wait_lines *all, const ser_wait_line *wait);

/* The lines of the threads that make the deadlock. To be freed. */
char *ser_waits_core(const char *waits);

#endif
