/* SPDX-License-Identifier: MIT */
/*
 * wrap.h - text filled into lines of 80 columns.
 */
#ifndef SER_CLI_WRAP_H
#define SER_CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints the words of text[0..length) in lines that start at column indent and
 * end before column 80; the first line starts where the caller is, at
 * column `at`. Ends with a newline.
 */
void ser_wrap(FILE *file, const char *text, size_t length, size_t at, size_t indent);

/* The length of the paragraph that text starts with: up to a blank line. */
size_t ser_paragraph_length(const char *text);

/* What follows a paragraph of that length and the blank lines behind it. */
const char *ser_next_paragraph(const char *text, size_t length);

#endif
