/* SPDX-License-Identifier: MIT */
/*
 * host.h - cores and memory of this machine, for defaults.
 */
#ifndef SER_BASE_HOST_H
#define SER_BASE_HOST_H

#include <stdint.h>

/* Cores that this process may use; at least 1. */
unsigned ser_host_cores(void);

/* Main memory in bytes; 0: unknown. */
uint64_t ser_host_memory(void);

/* Resident memory of this process in bytes; 0: unknown. */
uint64_t ser_host_resident(void);

#endif
