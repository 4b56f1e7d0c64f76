/* SPDX-License-Identifier: MIT */
/*
 * workers.h - inside of predict.h: the threads that decide blocks.
 *
 * ser_work_do settles blocks by facts (settle.h), surveys the run for the others, and then lets all
 * workers take blocks from a common counter. Another thread may watch them meanwhile: it asks them
 * to stop, all or only with their current blocks, and abandons the work if they do not. Results are
 * handed over under a lock, so that abandoned threads change nothing any more.
 */
#ifndef SER_PREDICT_WORKERS_H
#define SER_PREDICT_WORKERS_H

#include <pthread.h>

#include "predict/decide/decide.h"
#include "predict/turns.h"

typedef struct ser_work ser_work;

/* A thread that works on blocks. */
typedef struct ser_worker {
    ser_work *all;
    unsigned number;
    atomic_bool busy; /* with the survey or a block */
    atomic_bool stop; /* soon: everything, or, if memory runs out, only the current block */
    atomic_bool out_of_memory;
    pthread_t thread;
    bool started;
    ser_error error; /* too large to be cleared for each block */
} ser_worker;

struct ser_work {
    ser_decider *decider;
    bool keeps_decider; /* for the caller, who has it from the beginning if it has a survey */
    SER_VECTOR(uint32_t) blocks; /* that are wanted: of each result */
    uint8_t *proofs;             /* of these, by facts (settle.h); NULL: not looked for */
    size_t open;                 /* blocks that these do not settle */
    ser_turns turns;             /* results in the order in which they are worked on */
    atomic_size_t next;
    atomic_bool stop;
    unsigned jobs;
    ser_worker *workers;  /* jobs of them; the first one makes the survey */
    size_t memory;        /* of the process, that it may not use up; 0: no limit */
    pthread_mutex_t lock; /* for all below, and for callbacks */
    pthread_cond_t end;   /* of the work: for the thread that watches it */
    bool ended, abandoned;
    bool is_surveyed;           /* no limit was reached on the way */
    ser_prediction *prediction; /* not to be touched once the work was abandoned */
    ser_status status;
    ser_error error;
};

/* Until all is done, or was told to stop. */
void *ser_work_do(void *work);

/* Does the caller of the prediction want it to end, or did something go wrong? */
bool ser_work_must_stop(ser_work *all);

/* For all blocks about which nothing is known. */
void ser_work_set_reason(ser_work *all, ser_reason reason);

/* Asks busy workers to stop: with everything, or with what they do now, for lack of memory. Are
 * there some that were asked, and have not yet? */
bool ser_work_ask(ser_work *all, bool stop, bool out_of_memory);

#endif
