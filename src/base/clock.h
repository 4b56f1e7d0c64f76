/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the time, for limits and progress.
 */
#ifndef SER_BASE_CLOCK_H
#define SER_BASE_CLOCK_H

/* Seconds of CLOCK_MONOTONIC: never goes back. */
double ser_clock_now(void);

/* The same for the limits of computations (base/meter.h). After ser_clock_count_processor_time, of
 * processor time of this process, so that what is done within a limit does not depend on what else
 * the machine does. */
double ser_clock_work(void);
void ser_clock_count_processor_time(void);

#endif
