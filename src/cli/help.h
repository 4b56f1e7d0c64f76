/* SPDX-License-Identifier: MIT */
/*
 * help.h - help texts and manual pages, printed from the commands' tables.
 */
#ifndef SER_CLI_HELP_H
#define SER_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* `seriatim --help` and `seriatim COMMAND --help`, for 80 columns. */
void ser_help_overview(FILE *file);
void ser_help_command(FILE *file, const ser_command *command);

/* The same as roff source: seriatim(1) and seriatim-COMMAND(1). */
void ser_man_overview(FILE *file);
void ser_man_command(FILE *file, const ser_command *command);

#endif
