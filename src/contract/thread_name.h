/* SPDX-License-Identifier: MIT */
/*
 * thread_name.h - what a trace calls the threads of a recorded program: T and the number that the
 * runtime gave them, in the order of creation (ser_record.thread).
 *
 * A trace has names of threads only; this is the one place that turns a number into a name and
 * back. Code that needs the number asks once, and keeps it as a number.
 */
#ifndef SER_CONTRACT_THREAD_NAME_H
#define SER_CONTRACT_THREAD_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SER_THREAD_NAME = 16 }; /* bytes of a name, with the 0 behind it */

/* Writes the name; returns its length. */
static inline size_t ser_thread_name_write(char name[SER_THREAD_NAME], uint32_t number)
{
    return (size_t)snprintf(name, SER_THREAD_NAME, "T%u", number);
}

/* "T12" is 12. False if no recorded thread has such a name. */
static inline bool ser_thread_name_read(const char *name, uint32_t *number)
{
    char *end;
    if (name[0] != 'T' || name[1] < '0' || name[1] > '9')
        return false;
    unsigned long value = strtoul(name + 1, &end, 10);
    *number = (uint32_t)value;
    return *end == '\0' && value <= UINT16_MAX;
}

#endif
