/* SPDX-License-Identifier: MIT */
/*
 * looked.h - which blocks a run had, and how many of them could be violated at all: another thread
 * uses the same data.
 */
#ifndef SER_SESSION_RUN_SURVEY_LOOKED_H
#define SER_SESSION_RUN_SURVEY_LOOKED_H

#include "order/run.h"
#include "report/run_report.h"

/* O(events). `looked` is empty by then. */
void ser_look_at_blocks(const ser_run *run, ser_looked *looked);

#endif
