/* SPDX-License-Identifier: MIT */
/*
 * dossier_files.h - where a dossier goes: to the terminal, to a file in the format that its name
 * or an option says, or into a folder in every format.
 */
#ifndef SER_CLI_DOSSIER_FILES_H
#define SER_CLI_DOSSIER_FILES_H

#include "report/dossier_formats.h"

/* To standard output, as wide and as coloured as the terminal is; NO_COLOR is respected. */
void ser_dossier_print(const ser_dossier *dossier);

/* A line a finding, as compilers write them, and the verdict: for logs of CI servers. */
void ser_dossier_print_lines(const ser_dossier *dossier);

/* `path` NULL or "-" is standard output. Without a format the end of the path says it; a path
 * that says nothing is a folder. SER_USAGE if it is a file that says nothing. */
ser_status ser_dossier_deliver(const ser_dossier *dossier, const char *path, const char *format,
                               ser_error *error);

#endif
