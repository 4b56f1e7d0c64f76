/* SPDX-License-Identifier: MIT */
/* machine_internal.h - what the files of the machine share. */
#ifndef SER_PREDICT_TASK_MACHINE_INTERNAL_H
#define SER_PREDICT_TASK_MACHINE_INTERNAL_H

#include "predict/task/machine.h"

/* Fills hold_end and shares; hold_end is SER_TASK_NONE everywhere. */
void ser_machine_survey(ser_machine *machine);

/* An array of SER_TASK_NONE. */
uint32_t *ser_machine_none_each(size_t count);

/* Accepts NULL. */
void ser_machine_cycle_destroy(struct ser_cycle_scratch *scratch);

#endif
