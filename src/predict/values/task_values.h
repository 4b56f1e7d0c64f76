/* SPDX-License-Identifier: MIT */
/*
 * task_values.h - the values of a task: what its steps read and write, and what is computed from
 * what.
 *
 * A run of a task with values differs from one without (task.h) in what breaks a read. A variable
 * holds a value, unless that is not known, or it is dirty. A followed read (SER_VALUE_READS) is
 * broken unless its guards have the results that they had in the trace; if it is not, but has
 * another value, it is *altered*: its thread takes only steps below its `limit`, and none that is a
 * barrier; unless all its altered reads are data only: then all that it writes from the barrier on
 * is dirty. Any other read is broken unless it gets the value that it had, or one that its
 * guards do not distinguish; of one that has no value, and of a read-modify-write, the last write
 * must be its source, with its recorded value. A write (SER_VALUE_WRITES) writes what its
 * expression gives; without a result it is dirty. An update (SER_VALUE_UPDATES) is a followed
 * read and such a write; if it is broken, it does what the task says.
 *
 * These are the interleavings of the model `guards`; those of the task alone contain them
 * (predict/model/guard_bounds.h). Read-only once made; the code that it is made of must outlive it.
 */
#ifndef SER_PREDICT_VALUES_TASK_VALUES_H
#define SER_PREDICT_VALUES_TASK_VALUES_H

#include "predict/segment/segment.h"
#include "predict/task/task.h"
#include "predict/values/value_code.h"

/* A read that an expression names. */
typedef struct ser_value_operand {
    uint32_t step;  /* the read, perhaps the step itself; SER_TASK_NONE: it is above the segment */
    uint64_t value; /* in the trace */
    bool known;     /* there was one */
} ser_value_operand;

typedef struct ser_value_step {
    uint64_t value;           /* in the trace: what was read; of a write, what it wrote */
    uint64_t written;         /* in the trace, of what writes */
    const ser_guards *code;   /* guards of a read, or what is written; NULL: none */
    const ser_guards *update; /* what an update writes; NULL: none */
    const uint64_t *results;  /* of the guards of a read, in the trace; NULL: one has none */
    const bool *skips;        /* the same: these say nothing here */
    uint32_t first_operand;   /* as many as the code has keys, then those of the update */
    uint32_t limit;           /* of an altered read: as ser_task_step.limit */
    uint32_t stop;            /* of a read whose guards fail: the same */
    uint8_t kind;             /* ser_value_code_kind */
    bool has_value;
    bool knows_old; /* RMW: `value` is what it has read */
    bool is_joint;  /* a read: its expressions name other reads */
    bool is_data;   /* a read: it is data only, by the word of the compiler */
} ser_value_step;

typedef struct ser_value_variable {
    uint64_t start; /* its value when the segment begins */
    bool knows_start;
    bool is_torn;     /* the trace lacks writes of it */
    bool is_by_value; /* nothing depends on which write was the last, but for its value */
} ser_value_variable;

typedef struct ser_task_values {
    SER_VECTOR(ser_value_step) steps;
    SER_VECTOR(ser_value_operand) operands;
    SER_VECTOR(ser_value_variable) variables;
    SER_VECTOR(uint32_t) last_use; /* by step: the last that names this read; itself if none does */
    SER_VECTOR(uint64_t) results;
    SER_VECTOR(bool) skips;
    bool is_partial; /* as of ser_value_code: a search that finds nothing proves nothing */
    bool is_mixed;   /* the same: nor does the solver then, which refines the bounds */
} ser_task_values;

/* Of a task that was built from that segment of the code's run. O(run). */
ser_task_values *ser_task_values_create(const ser_task *task, const ser_segment *segment,
                                        const ser_value_code *code);
void ser_task_values_destroy(ser_task_values *values); /* accepts NULL */

/* Do the guards of a read give what they gave in the trace? The inputs: what it reads now, and what
 * its operands have. */
bool ser_task_values_keeps(const ser_value_step *read, const ser_guard_inputs *inputs);

#endif
