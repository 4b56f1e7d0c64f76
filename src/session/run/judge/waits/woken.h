/* SPDX-License-Identifier: MIT */
/*
 * woken.h - a thread that waits with `if` instead of `while`.
 *
 *     lock; if (count == N) wait; ring[head] = v; count++; unlock;
 *
 * Another thread makes room and wakes it, and a third one is faster and takes the room. Who was
 * woken does not look again, and acts upon what is not so. Blocks end at waits, so that no block is
 * violated by that; but the wait itself tells what the thread waited for: by what it had read last,
 * it would wait again.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_WOKEN_H
#define SER_SESSION_RUN_JUDGE_WAITS_WOKEN_H

#include "order/run.h"

/* All of them are accesses of one variable. */
typedef struct ser_woken {
    uint32_t asked;   /* the read by which the thread decided to wait */
    uint32_t granted; /* the first write of another thread after which it would not have waited */
    uint32_t taken;   /* a later one of another thread, after which it would; the last one when the
                         thread goes on */
    uint32_t act;     /* what the thread then writes, without another look */
} ser_woken;

typedef SER_VECTOR(ser_woken) ser_woken_list;

/* Adds what the run has of this. Values are needed, and waits that were notified. O(events) for
 * each wait. */
void ser_find_woken(const ser_run *run, ser_woken_list *found);

#endif
