/* SPDX-License-Identifier: MIT */
/*
 * inputs.h - the nondeterministic inputs of a recorded run (time, random numbers, process numbers;
 * contract/inputs.h), which a replay gives back to the program.
 */
#ifndef SER_REPLAY_INPUTS_H
#define SER_REPLAY_INPUTS_H

#include "base/status.h"
#include "base/vector.h"
#include "contract/channel.h"
#include "replay/plan.h"

typedef SER_VECTOR(ser_record) ser_input_list;

/* Appends the inputs in the trace, ordered by thread; none unless the trace is native. The
 * caller frees the list, also after an error. */
ser_status ser_inputs_load(ser_input_list *inputs, const char *trace, ser_error *error);

/* Is one of them the time of a clock? */
bool ser_inputs_have_time(const ser_input_list *inputs);

/* Appends the same inputs for threads with other numbers: those that the plan gives them. */
void ser_inputs_renumber(ser_input_list *to, const ser_input_list *inputs, const ser_plan *plan);

#endif
