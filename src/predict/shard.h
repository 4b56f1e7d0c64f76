/* SPDX-License-Identifier: MIT */
/*
 * shard.h - a part of the blocks of a trace, for work that many processes share.
 *
 * Block i (from 0, in the order in which blocks begin) is in shard i mod N + 1 of N: each block is
 * in one, on every machine. Neighbours are in different shards, since they tend to take equally
 * long.
 */
#ifndef SER_PREDICT_SHARD_H
#define SER_PREDICT_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { SER_MOST_SHARDS = 1000000 };

typedef struct ser_shard {
    uint32_t number, of; /* from 1 to `of`; 0 of 0: everything */
} ser_shard;

/* "3/7", the argument of an option. SER_USAGE if it is none; NULL is everything. */
ser_status ser_shard_parse(ser_shard *shard, const char *option, const char *text,
                           ser_error *error);

static inline bool ser_shard_has(const ser_shard *shard, uint32_t block)
{
    return !shard->of || block % shard->of == shard->number - 1;
}

#endif
