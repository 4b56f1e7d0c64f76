/* SPDX-License-Identifier: MIT */
/*
 * shards.h - one result of the parts of a prediction: what `seriatim predict --shard K/N --json
 * FILE` has written, for all K.
 *
 *     ser_shards parts = {0};
 *     status = ser_shards_gather(&parts, inputs, count, error);
 *     status = ser_shards_save(&parts, "whole.json", error);
 *     ser_shards_fini(&parts);
 *
 * The result is what one process writes for all blocks, but for what the search took (seconds,
 * states). A shard that is there twice counts once, with the copy that leaves fewer blocks
 * undecided. If one is missing the result is partial, and names it. Parts of blocks
 * (splits.h) may be among the files.
 */
#ifndef SER_SESSION_REPORTING_SHARDS_H
#define SER_SESSION_REPORTING_SHARDS_H

#include <stdio.h>

#include "base/json_tree.h"
#include "base/vector.h"
#include "predict/predict.h"
#include "report/predict_report.h"
#include "session/reporting/splits.h"

typedef struct ser_shards {
    SER_VECTOR(ser_json_tree *) parts;       /* by number less 1; NULL: missing */
    const ser_json_node *any;                /* root of one that is there */
    SER_VECTOR(ser_json_tree *) split_files; /* results of parts of blocks */
    ser_splits splits;
    ser_block_nodes blocks; /* of all parts, as they begin */
    uint64_t verdicts[SER_VERDICT_VIOLATION + 1];
    size_t missing;
} ser_shards;

/* Is it a file with the result of a prediction? False also if it cannot be read. */
bool ser_shards_is_part(const char *path);

/* To be finished in any case. SER_INPUT if one is no shard, or they are not of the same task. */
ser_status ser_shards_gather(ser_shards *shards, const char *const *inputs, size_t count,
                             ser_error *error);
void ser_shards_fini(ser_shards *shards);

/* Writes one part; the file appears only when it is complete. */
ser_status ser_shard_save(const ser_predict_report *report, const char *path, ser_error *error);

/* SER_VIOLATION, SER_UNDECIDED or SER_OK, as for the result of one process. */
ser_status ser_shards_verdict(const ser_shards *shards);

/* As `predict --json` writes it; "missing" lists the numbers of shards that are. "-" is standard
 * output. */
ser_status ser_shards_save(const ser_shards *shards, const char *path, ser_error *error);

/* For people: violations, missing shards, and the verdict in the last line. */
void ser_shards_print(const ser_shards *shards, FILE *file);

#endif
