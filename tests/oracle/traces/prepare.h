/* SPDX-License-Identifier: MIT */
/*
 * prepare.h - random traces on their way to the engines, and to readers.
 */
#ifndef SER_ORACLE_PREPARE_H
#define SER_ORACLE_PREPARE_H

#include <stdio.h>

#include "base/status.h"
#include "random_trace.h"

/*
 * Copies a trace to an empty list, validated and with its blocks marked as
 * --atomic says. False, with a message, if the trace is not well-formed. For
 * markers the marks are compared with an own reading of begin and end.
 */
bool prepare_trace(event_list *marked, const event_list *raw, const char *atomic, ser_error *error);

/* Writes the trace in text form; locations are event numbers. */
void print_trace(FILE *file, const event_list *events);

#endif
