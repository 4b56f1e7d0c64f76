/* SPDX-License-Identifier: MIT */
/*
 * host.h - cores, load and memory of this machine, for defaults; and a limit on what this process
 * takes.
 */
#ifndef SER_BASE_HOST_H
#define SER_BASE_HOST_H

#include <stdint.h>

/* Cores that this process may use; at least 1. */
unsigned ser_host_cores(void);

/* How many times longer than alone things take on so many cores with that load average, roughly:
 * between 1 and 4. A load of less than two for each core counts as none: it may well be our own. */
double ser_host_delay(double load, unsigned cores);
/* The same of this machine as it is now. */
double ser_host_delay_now(void);

/* Main memory in bytes; 0: unknown. */
uint64_t ser_host_memory(void);

/* Resident memory of this process in bytes; 0: unknown. */
uint64_t ser_host_resident(void);

/* From now on this process gets at most so many more bytes of memory; then allocations fail, as
 * memory.h says. */
void ser_host_limit_memory(uint64_t bytes);

#endif
