/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - a file in memory, for when the disk is full.
 */
#ifndef SER_RECORD_CAPTURE_SCRATCH_H
#define SER_RECORD_CAPTURE_SCRATCH_H

#include <stdbool.h>

#include "base/status.h"

#define SER_SCRATCH_PATTERN "/dev/shm/seriatim-XXXXXX"

/* Creates a file; its name goes where the X are. False if that cannot be done. */
bool ser_scratch_open(char *path);

/* Writes what is in it to a file, which appears once it is complete. */
ser_status ser_scratch_copy(const char *scratch, const char *path, ser_error *error);

#endif
