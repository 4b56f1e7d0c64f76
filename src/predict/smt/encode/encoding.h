/* SPDX-License-Identifier: MIT */
/*
 * encoding.h - a task as a formula that can be satisfied iff some run of the task
 * violates the block. docs/algorithms/smt.md explains the encoding.
 *
 * For every step there is a boolean, "it happens", and a point of the formula, the
 * moment when it does; what does not happen has a point that means nothing. Points
 * are numbered as steps were observed, since that is an order that all rules allow. The
 * steps of a move have one point, and one boolean of each kind, in common.
 * Further points are the ranks of transactions (encode_cycle.c) and the horizons of reads
 * (sights.h). Everything that is
 * the same in all runs (must.h) is a constant, not an atom.
 */
#ifndef SER_PREDICT_SMT_ENCODE_ENCODING_H
#define SER_PREDICT_SMT_ENCODE_ENCODING_H

#include "predict/search.h"
#include "predict/smt/formula/model.h"
#include "predict/task/lanes.h"
#include "predict/task/must.h"

typedef struct ser_encoding {
    const ser_task *task;
    const ser_search_options *options;
    ser_formula formula;
    ser_must must;
    ser_lanes lanes;
    uint32_t *point;       /* by step; booleans about a step have the same number */
    ser_literal *happens;  /* by step */
    ser_literal *unbroken; /* by step with a source: implies that it is not broken; of a
                              read-modify-write also the other way round, if it happens.
                              SER_FALSE if nothing depends on it */
    bool *reliable;        /* by step: whenever it happens nothing of its move is broken */
    ser_reason stopped;    /* why the encoding was given up; SER_REASON_NONE: it was not */
    uint32_t ticks;
} ser_encoding;

/* Builds the formula. If it had to be given up, `stopped` says why. */
void ser_encode(ser_encoding *encoding, const ser_task *task, const ser_search_options *options);
void ser_encoding_fini(ser_encoding *encoding);

/* The parts, each in a file of its own. */
void ser_encode_booleans(ser_encoding *encoding); /* what happens, and is not broken */
void ser_encode_reads(ser_encoding *encoding);    /* what breaks a read */
void ser_encode_changes(ser_encoding *encoding);  /* the same, if the task may_change */
void ser_encode_locks(ser_encoding *encoding);    /* critical sections, failed try-acquires */
void ser_encode_path(ser_encoding *encoding);     /* the violation, by the path criterion */
void ser_encode_cycle(ser_encoding *encoding);    /* the violation, by serializability */

/* Points of a thread ascend. Only those that occur in an atom have to: to be called again when
 * there are new ones. */
void ser_encode_program_order(ser_encoding *encoding);

/* The steps of a model in the order they happen. */
void ser_encoding_read_order(const ser_encoding *encoding, const ser_smt_model *model,
                             ser_answer *answer);

/* Asked in every long loop: has the encoding to be given up? */
bool ser_encoding_must_stop(ser_encoding *encoding);

static inline const ser_task_step *ser_encoding_step(const ser_encoding *encoding, uint32_t step)
{
    return &encoding->task->steps.items[step];
}

static inline bool ser_encoding_can_happen(const ser_encoding *encoding, uint32_t step)
{
    return ser_must_can_happen(&encoding->must, step);
}

/* Does it matter to the step what came before: a read, a failed try-acquire? */
static inline bool ser_encoding_has_source(const ser_encoding *encoding, uint32_t number)
{
    const ser_task_step *step = ser_encoding_step(encoding, number);
    return step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW ||
           step->action == SER_LOCK_TEST;
}

/* Does a read have its source in its own move? Then it is never broken. */
static inline bool ser_encoding_from_move(const ser_encoding *encoding, uint32_t number)
{
    uint32_t source = ser_encoding_step(encoding, number)->source;
    return source < number && source >= ser_task_move_first(encoding->task, number);
}

/* The next step of the thread behind the step's move that can happen, or SER_TASK_NONE. */
uint32_t ser_encoding_next(const ser_encoding *encoding, uint32_t step);

/* a comes before b, provided that both happen. */
ser_literal ser_encoding_before(ser_encoding *encoding, uint32_t a, uint32_t b);

/* Two points of a read of its own, if the task may_change. */
static inline uint32_t ser_encoding_horizon(const ser_encoding *encoding, uint32_t read,
                                            bool changed)
{
    return (2 + changed) * (uint32_t)encoding->task->steps.count + read;
}

/* Is there a later write of the variable in the step's move? Then no read sees this one. */
static inline bool ser_encoding_is_overwritten(const ser_encoding *encoding, uint32_t write)
{
    const ser_task_step *step = ser_encoding_step(encoding, write), *later = step;
    while (later->joined) {
        later++;
        if (later->access >= SER_ACCESS_WRITE && later->variable == step->variable)
            return true;
    }
    return false;
}

/* Whenever the step happens it writes. */
static inline bool ser_encoding_always_writes(const ser_encoding *encoding, uint32_t step)
{
    const ser_task_step *access = ser_encoding_step(encoding, step);
    return access->access == SER_ACCESS_WRITE || access->writes_anyway;
}

/* The step happens and writes its variable. */
ser_literal ser_encoding_writes(const ser_encoding *encoding, uint32_t step);

/* Two accesses of one variable conflict, provided that both happen (a broken read-modify-write is
 * a read). */
ser_literal ser_encoding_conflict(ser_encoding *encoding, uint32_t a, uint32_t b);

#endif
