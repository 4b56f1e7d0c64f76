/* SPDX-License-Identifier: MIT */
/*
 * host.h - what the computer we run on has, for defaults; and how much of it we take at most.
 */
#ifndef SER_BASE_HOST_H
#define SER_BASE_HOST_H

#include <stdint.h>

/* Cores that this process may use; at least 1. */
unsigned ser_host_cores(void);

/* Main memory in bytes; 0 if it cannot be told. */
uint64_t ser_host_memory(void);

/* Bytes of main memory that this process has at the moment; 0 if it cannot be told. */
uint64_t ser_host_resident(void);

/* From now on this process gets at most so many more bytes of memory; then allocations fail, as
 * memory.h says. */
void ser_host_limit_memory(uint64_t bytes);

#endif
