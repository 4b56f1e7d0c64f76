/* SPDX-License-Identifier: MIT */
/*
 * folder.h - folders for what commands make.
 */
#ifndef SER_SESSION_FOLDER_H
#define SER_SESSION_FOLDER_H

#include "base/status.h"

/* The folder is there; SER_INPUT if it cannot be made. NULL: nothing to do. */
ser_status ser_make_folder(const char *path, ser_error *error);

/* The same for the output of `run` and `explore`. What an earlier one has left there is removed,
 * since it must not be taken for what this one makes. */
ser_status ser_make_run_folder(const char *path, ser_error *error);

#endif
