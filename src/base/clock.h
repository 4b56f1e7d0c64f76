/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the time, for limits and progress.
 */
#ifndef SER_BASE_CLOCK_H
#define SER_BASE_CLOCK_H

/* Seconds of CLOCK_MONOTONIC: never goes back. */
double ser_clock_now(void);

#endif
