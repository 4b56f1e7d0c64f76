/* SPDX-License-Identifier: MIT */
/*
 * wrapped.h - sentences of an entry, in lines.
 */
#ifndef SER_REPORT_TEXT_WRAPPED_H
#define SER_REPORT_TEXT_WRAPPED_H

#include <stdio.h>

/* The words of the text, escaped, in indented lines of at most that width. */
void ser_print_wrapped(FILE *file, const char *text, unsigned width);

#endif
