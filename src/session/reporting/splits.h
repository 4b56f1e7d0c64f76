/* SPDX-License-Identifier: MIT */
/*
 * splits.h - blocks that were decided in parts, by the ways in which they could be violated: what
 * `seriatim predict
 * --split K/N --json FILE` has written, for all K.
 *
 * A block is violated if it is in one part, whatever is known of the others, and has no violation
 * if no part has one, and all are there.
 */
#ifndef SER_SESSION_REPORTING_SPLITS_H
#define SER_SESSION_REPORTING_SPLITS_H

#include "base/json_tree.h"
#include "base/vector.h"
#include "predict/shard.h"

/* One block in one file. */
typedef struct ser_split_entry {
    uint64_t begin;
    ser_shard part;
    const ser_json_node *block; /* of a tree of somebody else */
} ser_split_entry;

typedef struct ser_splits {
    SER_VECTOR(ser_split_entry) entries;
    size_t open; /* blocks of which parts are missing, and that nothing else decides */
} ser_splits;

typedef SER_VECTOR(const ser_json_node *) ser_block_nodes;

/* Which part a result is of; 0 of 0 if it is of whole blocks. */
ser_shard ser_split_of(const ser_json_node *root);

void ser_splits_add(ser_splits *splits, const ser_json_node *root);
void ser_splits_fini(ser_splits *splits);

/* Puts what the parts say in the place of results that are unknown or missing. The list is sorted
 * by where blocks begin, before and after. */
void ser_splits_apply(ser_splits *splits, ser_block_nodes *blocks);

void ser_block_nodes_sort(ser_block_nodes *blocks);
bool ser_block_node_is(const ser_json_node *block, const char *verdict);

#endif
