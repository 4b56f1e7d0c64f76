/* SPDX-License-Identifier: MIT */
/*
 * own_lines.h - at which line of the program's own code something is done by a function that it
 * calls. Traces may not have the places of calls, and have none of calls into a library; then the
 * source is asked: between the lines of what the caller did before and after, which one names the
 * function, or the variable?
 */
#ifndef SER_REPORT_DOSSIER_OWN_LINES_H
#define SER_REPORT_DOSSIER_OWN_LINES_H

#include "bugs/own_code.h"
#include "report/dossier/plain_names.h"

/* Where the caller, a call itself, makes a call: "bank.c:42". NULL: it is not known, since the
 * source cannot be read, or several lines could be it. To be freed. */
char *ser_find_call_line(const ser_run *run, uint32_t caller, uint32_t call);

/* Where an event happens. If a library does it: where the program's own code calls that, or the
 * last place before that is known. To be freed. */
char *ser_own_location(const ser_run *run, const ser_plain_names *names, uint32_t event);

#endif
