/* SPDX-License-Identifier: MIT */
/*
 * quote.h - text from outside within files that other programs read. It is shown first (show.h),
 * so that nobody who looks at the file is deceived, and then written so that it stays text there.
 */
#ifndef SER_BASE_OUTPUT_QUOTE_H
#define SER_BASE_OUTPUT_QUOTE_H

#include <stdio.h>

/* In XML and HTML, in an attribute's quotes or between tags. */
void ser_quote_xml(FILE *file, const char *text);

/* A string of Graphviz, with its quotes. */
void ser_quote_dot(FILE *file, const char *text);

#endif
