/* SPDX-License-Identifier: MIT */
/*
 * few_switches.h - the same execution with few context switches.
 */
#ifndef SER_WITNESS_FEW_SWITCHES_H
#define SER_WITNESS_FEW_SWITCHES_H

#include "order/run.h"

/* Another order of the same events, in which dependent events keep theirs (dependencies.h). The
 * effort is bounded: an order of thousands of threads that wait for each other may stay as it is.
 */
void ser_order_with_few_switches(const ser_run *run, ser_event_list *order);

#endif
