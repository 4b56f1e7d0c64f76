/* SPDX-License-Identifier: MIT */
/*
 * split.h - one of N parts of the runs of a task, for a block that is too much work for one
 * process.
 *
 * Of some pairs of steps p, q that no rule orders, a part says which comes first: "q needs p" has
 * all runs but those in which q happens without p before it, "p needs q" all but those with p
 * without q before it, and every run is in one of the two. So k pairs make 2^k parts, which together
 * have the runs of the whole task: a violation of a part is one of the task, and the task has none
 * if no part has one. Runs in which neither step of a pair happens are in both, so parts overlap.
 *
 * Pairs are acquires of one lock or writes of one variable, by different threads: the engines get
 * the most out of their order. Which pairs depends on nothing but the task and N.
 */
#ifndef SER_PREDICT_TASK_SPLIT_H
#define SER_PREDICT_TASK_SPLIT_H

#include "predict/shard.h"
#include "predict/task/task.h"

/* Restricts the task to a part; 0 of 0 is the whole. False if the part is empty, since the task has
 * fewer pairs than so many parts need: others have all runs. */
bool ser_task_split(ser_task *task, ser_shard part);

#endif
