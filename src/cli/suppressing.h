/* SPDX-License-Identifier: MIT */
/*
 * suppressing.h - --suppress, --baseline and --gen-suppressions.
 */
#ifndef SER_CLI_SUPPRESSING_H
#define SER_CLI_SUPPRESSING_H

#include "base/options/options.h"
#include "report/suppress/suppress.h"

/* What the options name; *list is NULL if they name nothing. To be destroyed. */
ser_status ser_suppressions_of(const ser_arguments *arguments, ser_suppressions **list,
                               ser_error *error);

/* Writes the file that --gen-suppressions names, if it does. */
ser_status ser_write_suppressions(const ser_dossier *dossier, const ser_arguments *arguments,
                                  ser_error *error);

#endif
