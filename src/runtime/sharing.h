/* SPDX-License-Identifier: MIT */
/*
 * sharing.h - which memory other processes can see.
 */
#ifndef SER_RUNTIME_SHARING_H
#define SER_RUNTIME_SHARING_H

#include <stdbool.h>

/* The program has mapped memory that it may share. */
void ser_sharing_begins(void);
/* May other processes see the memory at that place? */
bool ser_is_shared(const void *address);

#endif
