/* SPDX-License-Identifier: MIT */
/*
 * inputs.h - what the system answered in a recorded run (the time, random numbers, process
 * numbers; contract/inputs.h), to be given back in a replay of it.
 */
#ifndef SER_REPLAY_INPUTS_H
#define SER_REPLAY_INPUTS_H

#include "base/status.h"
#include "base/vector.h"
#include "contract/channel.h"

typedef SER_VECTOR(ser_record) ser_input_list;

/* Appends the answers in the trace, ordered by thread; none if it is not a native one. The
 * list is the caller's to free, also after an error. */
ser_status ser_inputs_load(ser_input_list *inputs, const char *trace, ser_error *error);

#endif
