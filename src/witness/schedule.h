/* SPDX-License-Identifier: MIT */
/*
 * schedule.h - a witness as a small text file: which thread takes how many steps,
 * and what its last step is. For replay, and for people. docs/schedule-format.md defines the file.
 *
 * A schedule is cut into runs: consecutive steps of one thread. A run also ends at
 * every event of the violation path and at every broken read, so that the operation
 * and location of each of these are known.
 *
 * Memory: a schedule owns its names; free it with ser_schedule_fini, also after a
 * failure. Not thread-safe.
 */
#ifndef SER_WITNESS_SCHEDULE_H
#define SER_WITNESS_SCHEDULE_H

#include "base/names.h"
#include "order/run.h"
#include "trace/io/input.h"
#include "trace/io/output.h"
#include "witness/checker.h"

/* Texts are numbers in schedule->names; SER_NO_NAME stands for none. */
typedef struct ser_schedule_run {
    uint32_t thread;
    uint32_t steps;       /* at least 1 */
    uint32_t first, last; /* events */
    /* The last step, as it was observed. */
    ser_op op;
    uint32_t operand, location;
} ser_schedule_run;

typedef struct ser_schedule {
    ser_names *names;
    uint32_t trace; /* its path */
    uint32_t block; /* first event of the violated block */
    bool serializability;
    ser_event_list path, broken; /* as in ser_witness_facts */
    SER_VECTOR(ser_schedule_run) runs;
} ser_schedule;

/* What a witness is a schedule of. */
typedef struct ser_schedule_source {
    const ser_run *run;
    const char *trace;
    uint32_t block;
    bool serializability;
    const ser_event_list *order;
    const ser_witness_facts *facts;
} ser_schedule_source;

void ser_schedule_make(ser_schedule *schedule, const ser_schedule_source *source);
void ser_schedule_fini(ser_schedule *schedule);

bool ser_schedule_is_on_path(const ser_schedule *schedule, uint32_t event);
bool ser_schedule_is_broken(const ser_schedule *schedule, uint32_t event);

/* Errors are the output's. */
void ser_schedule_write(const ser_schedule *schedule, ser_output *output);

/* SER_INPUT and a message that names the line where the text is no schedule. */
ser_status ser_schedule_read(ser_schedule *schedule, ser_input *input, ser_error *error);

#endif
