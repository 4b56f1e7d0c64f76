/* SPDX-License-Identifier: MIT */
/*
 * predict_choice.h - which blocks are looked at: one, those of a thread, those of a function, the
 * part of one shard.
 */
#ifndef SER_SESSION_PREDICT_CHOICE_H
#define SER_SESSION_PREDICT_CHOICE_H

#include "order/run.h"
#include "predict/shard.h"

/* A block is wanted if it passes all that is given. */
typedef struct ser_predict_choice {
    uint32_t block;       /* number of its first event; 0: any */
    const char *thread;   /* name; NULL: any */
    const char *function; /* glob; NULL: any */
    ser_shard shard;
} ser_predict_choice;

bool ser_predict_choice_wants(const ser_predict_choice *choice, const ser_run *run, uint32_t block);

/* How many blocks are wanted by all shards together. */
size_t ser_predict_choice_count(const ser_predict_choice *choice, const ser_run *run);

/* SER_USAGE, with a suggestion, if there is no such block. */
ser_status ser_predict_choice_check(const ser_predict_choice *choice, const ser_run *run,
                                    ser_error *error);

#endif
