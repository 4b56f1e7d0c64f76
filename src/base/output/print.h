/* SPDX-License-Identifier: MIT */
/*
 * print.h - how text for people leaves this program: reports, messages, the progress line.
 *
 * Like printf, with one difference: what %s and %c stand for is shown (show.h), so that nothing
 * that a file or a program named can pass for a command to the terminal or for a line of ours.
 * The format itself is ours and goes out as it is. A test finds printers that do without.
 */
#ifndef SER_BASE_OUTPUT_PRINT_H
#define SER_BASE_OUTPUT_PRINT_H

#include <stdarg.h>
#include <stdio.h>

/* Writes all of it with one call. Knows what printf knows, without %n, %m and wide characters.
 * A precision of %s that ends within a character leaves that character out. */
void ser_print(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ser_vprint(FILE *file, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* "seriatim: ", the label, what the format says, and the end of the line. */
void ser_vprint_message(FILE *file, const char *label, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Text that was made with ser_print, several lines perhaps, as it is. */
void ser_print_made(FILE *file, const char *text);

/* A word of a command line, quoted where a shell needs it. */
void ser_print_word(FILE *file, const char *word);

#endif
