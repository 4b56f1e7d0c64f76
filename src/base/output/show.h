/* SPDX-License-Identifier: MIT */
/*
 * show.h - makes text from outside safe to print.
 *
 * Names, notes and paths come from untrusted files and programs. Characters that a terminal takes
 * for a command, that start a new line, or that change how the text around them looks (control
 * characters of ASCII and Latin-1, changes of direction, separators, characters without width) are
 * shown as their bytes, such as \x1b; so is invalid UTF-8. Escaping a text twice gives the same as
 * once.
 */
#ifndef SER_BASE_OUTPUT_SHOW_H
#define SER_BASE_OUTPUT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

typedef SER_VECTOR(char) ser_shown; /* not NUL-terminated */

/* Reads the UTF-8 character that the text starts with. Its length; 0 if there is none: cut
 * short, longer than needed, a surrogate, or beyond U+10FFFF. */
size_t ser_utf8_read(const char *text, size_t length, uint32_t *point);

/* May it be shown as it is? */
bool ser_is_harmless(uint32_t point);

/* How many bytes at the start of the text may be shown as they are. */
size_t ser_harmless_length(const char *text, size_t length);

/* Appends the text as it may be shown. */
void ser_show(ser_shown *to, const char *text, size_t length);

void ser_shown_append(ser_shown *to, const char *text, size_t length);

#endif
