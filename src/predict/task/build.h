/* SPDX-License-Identifier: MIT */
/*
 * build.h - from a block and its segment to the task that engines solve.
 */
#ifndef SER_PREDICT_TASK_BUILD_H
#define SER_PREDICT_TASK_BUILD_H

#include "base/meter.h"
#include "order/index.h"
#include "order/run.h"
#include "predict/segment/segment.h"
#include "predict/task/task.h"

/* The task of a block (index in run->blocks, with at least one access) in its
 * segment. The index may be NULL if the segment is the whole run. Cost: O(segment * log). NULL if
 * the meter, which may be NULL, was over. */
ser_task *ser_task_build(const ser_run *run, const ser_index *index, uint32_t block,
                         const ser_segment *segment, ser_meter *meter);

/* The same with all of the run as segment. */
ser_task *ser_task_whole(const ser_run *run, uint32_t block);

#endif
