/* SPDX-License-Identifier: MIT */
/*
 * print.h - prints all text for people: reports, messages, the progress line.
 *
 * Like printf, with one difference: the values of %s and %c are escaped (show.h), so that no name
 * from a file or a program can send a command to the terminal or imitate a line of ours. The format
 * itself is printed as it is. tests/style/print.sh finds code that prints in other ways.
 */
#ifndef SER_BASE_OUTPUT_PRINT_H
#define SER_BASE_OUTPUT_PRINT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Writes all of it with one call. Supports what printf does, except %n, %m and wide characters. If
 * the precision of %s ends within a UTF-8 character, that character is not printed. */
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

/* "st" of 1st, "nd" of 2nd. */
const char *ser_ordinal_ending(uint32_t number);

#endif
