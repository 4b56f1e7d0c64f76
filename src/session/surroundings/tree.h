/* SPDX-License-Identifier: MIT */
/*
 * tree.h - whole folders: copied, removed.
 */
#ifndef SER_SESSION_SURROUNDINGS_TREE_H
#define SER_SESSION_SURROUNDINGS_TREE_H

#include <stdint.h>

#include "base/status.h"

/* Makes `target`, which must not exist, a copy of the folder `source`: files, folders, symbolic
 * links and FIFOs, with their modes and times. Sockets and devices are not copied, nor the folder
 * `except` if it lies in `source`. On failure a part of the copy may be there. */
ser_status ser_tree_copy(const char *source, const char *target, const char *except,
                         ser_error *error);

/* Removes a folder, or a file, with everything in it. Nothing there: nothing to do. */
ser_status ser_tree_remove(const char *path, ser_error *error);

/* Bytes of all files in a folder. */
uint64_t ser_tree_bytes(const char *path);

#endif
