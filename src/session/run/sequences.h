/* SPDX-License-Identifier: MIT */
/*
 * sequences.h - schedules in which all threads are created first, and then each goes on alone as
 * far as it can: in another order than that of creation, or one thread runs in the middle of
 * another (explore/interruptions.h), or they take turns by strides (explore/strides.h).
 *
 * Many bugs need no more: a thread runs before the one that should have initialised something for
 * it, or after the one that destroyed it, or between two steps that belong together. If the first
 * thread does not wait for the others, it stops just before it ends the program.
 */
#ifndef SER_SESSION_RUN_SEQUENCES_H
#define SER_SESSION_RUN_SEQUENCES_H

#include "explore/interruptions.h"
#include "replay/plan.h"

/* A thread makes so many steps, and then another one all that it can. By number of creation. If the
 * last of the steps is a wait, the one that ends it comes before the other one. */
typedef struct ser_stopped_thread {
    uint32_t thread, other, waker;
    bool waits;
    uint64_t steps;
} ser_stopped_thread;

/* A thread, by number of creation, has done so many steps at the end of its stride of a round. */
typedef struct ser_stride {
    uint32_t thread, round;
    uint64_t until;
} ser_stride;

typedef SER_VECTOR(ser_turn) ser_turn_list;

typedef struct ser_stop_queue {
    SER_VECTOR(ser_stopped_thread) stops;
    size_t tried;
} ser_stop_queue;

typedef struct ser_sequences {
    uint64_t creation;  /* steps of the first thread until all are created; 0: it creates none */
    bool ends_early;    /* the first thread does not wait for the others, and makes */
    uint64_t until_end; /* so many steps before its last */
    bool takes_part;    /* it accesses what the others do, when it has created them */
    SER_VECTOR(uint32_t) threads;    /* that follow, by number, in the order of creation */
    uint32_t longest;                /* steps that a thread may make at once */
    uint64_t orders, tried;          /* of the threads */
    ser_names *known;                /* interruptions */
    ser_stop_queue splitting, other; /* interruptions, the promising ones first */
    SER_VECTOR(ser_stride) strides;  /* explore/strides.h */
    unsigned striding;               /* threads that make some */
    unsigned strode;                 /* in how many ways they were tried */
    ser_turn_list turns;             /* of the last sequence that was made */
} ser_sequences;

/* Were all threads joined that were created? If not, the run may have ended before some of them
 * did. */
bool ser_run_awaits_all(const ser_run *run);

void ser_sequences_fini(ser_sequences *sequences);

/* From the first run of a program, and from each one. */
void ser_sequences_begin(ser_sequences *sequences, const ser_run *run);
void ser_sequences_learn(ser_sequences *sequences, const ser_run *run);

/* Puts the next one into `turns`: another order, another interruption, another one that begins
 * with the strides. False if there are no more such. */
bool ser_sequences_next_order(ser_sequences *sequences);
bool ser_sequences_next_interruption(ser_sequences *sequences);
bool ser_sequences_next_strides(ser_sequences *sequences);

#endif
