/* SPDX-License-Identifier: MIT */
/*
 * stack.h - the states along the path, each with the threads that were tried there.
 *
 * Frame d belongs to the state before the step number d of the path; those within a
 * move are not used. Its sets:
 *   able       threads whose next step can be taken there
 *   backtrack  those to be tried there, or tried already; a subset of able
 *   done       those that were tried; a subset of backtrack
 *   sleep      those that need not be tried: every run that starts with one of them is
 *              equivalent to one looked at earlier
 */
#ifndef SER_PREDICT_DPOR_STACK_H
#define SER_PREDICT_DPOR_STACK_H

#include "predict/dpor/path.h"
#include "predict/dpor/threads.h"

typedef struct ser_frame {
    uint64_t *able, *backtrack, *done, *sleep;
    uint32_t thread;   /* that took the step into this state; SER_NO_THREAD at the first */
    uint32_t switches; /* insignificant ones on the way here */
    bool preempts;     /* to leave `thread` here is one more */
} ser_frame;

typedef struct ser_stack {
    ser_path *path;
    uint32_t words; /* of a set */
    uint64_t *sets; /* the memory of all sets */
    ser_frame *frames;
    /* scratch of races.c */
    uint32_t *clock;
    SER_VECTOR(uint32_t) races;
    SER_VECTOR(uint32_t) heads;
    SER_VECTOR(uint32_t) initials;
} ser_stack;

size_t ser_stack_bytes(const ser_task *task);
ser_stack *ser_stack_create(ser_path *path);
void ser_stack_destroy(ser_stack *stack);

/* The frame of the state that the path has reached. */
static inline ser_frame *ser_stack_top(const ser_stack *stack)
{
    return &stack->frames[stack->path->machine->depth];
}

/* Writes the clock of the next step of a thread that is able, finds the steps of the
 * path that it races with, and has them tried in the other order. To be called before
 * the step is taken. */
void ser_races_before_step(ser_stack *stack, uint32_t thread);

/* The path goes no further: the same for all steps that would be next, as far as
 * steps of the path may have kept them from happening. */
void ser_races_at_leaf(ser_stack *stack);

#endif
