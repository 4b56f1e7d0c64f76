/* SPDX-License-Identifier: MIT */
/*
 * reuse.h - answers to tasks, for tasks that are the same but for the events they stand for.
 *
 * What a run of a task is, and when it violates the block, is defined in task.h, and there
 * neither the steps' event numbers nor the start play a part; of transactions only which
 * steps belong to one. So two tasks that agree in everything else have the same runs, as
 * orders of steps, and of these the same violate the block. `none` for one is `none` for the
 * other, and an order of steps that violates the one violates the other. Tasks are compared
 * word by word, not by a fingerprint.
 *
 * Only for tasks that are asked about in the same way: one criterion, one choice of engines.
 * Memory: some 40 bytes per step of the tasks kept, at most 64 MB. Thread-safe.
 */
#ifndef SER_PREDICT_REUSE_H
#define SER_PREDICT_REUSE_H

#include "predict/search.h"

typedef struct ser_reuse ser_reuse;

ser_reuse *ser_reuse_create(void);
void ser_reuse_destroy(ser_reuse *reuse); /* accepts NULL */

/* The engine that has answered such a task, with its answer; NULL if none has. O(task). */
const ser_search_engine *ser_reuse_find(ser_reuse *reuse, const ser_task *task, ser_answer *answer);

/* Keeps the answer, if it is one and there is room. O(task). */
void ser_reuse_keep(ser_reuse *reuse, const ser_task *task, const ser_search_engine *engine,
                    const ser_answer *answer);

#endif
