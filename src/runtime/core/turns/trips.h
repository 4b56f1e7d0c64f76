/* SPDX-License-Identifier: MIT */
/*
 * trips.h - a thread whose turn it is goes outside of the runtime again and again, and comes back
 * without having got anything: it polls, or waits with a time-out, for what another thread would
 * do that must not run now. After a while its turn is lost.
 */
#ifndef SER_RUNTIME_CORE_TURNS_TRIPS_H
#define SER_RUNTIME_CORE_TURNS_TRIPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ser_trips {
    uint32_t count;
    uint64_t first; /* when, in milliseconds */
} ser_trips;

/* Counts one more. */
bool ser_trips_are_in_vain(ser_trips *trips);

#endif
