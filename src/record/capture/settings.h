/* SPDX-License-Identifier: MIT */
/*
 * settings.h - the text of SERIATIM_OPTIONS: checks it, and puts it together.
 *
 * The runtime ignores settings that it does not know, since it must not print into the program's
 * output. So the recorder checks them first.
 */
#ifndef SER_RECORD_CAPTURE_SETTINGS_H
#define SER_RECORD_CAPTURE_SETTINGS_H

#include <stdio.h>

#include "base/status.h"
#include "base/vector.h"

#define SER_OPTIONS_VARIABLE "SERIATIM_OPTIONS" /* environment of the tools: a=1:b=2 */

typedef SER_VECTOR(char) ser_settings; /* a NUL-terminated text; all zero: empty */

/* Adds a=1:b=2, or one name with its value; later ones override. NULL adds nothing. */
void ser_settings_add_text(ser_settings *settings, const char *text);
void ser_settings_add(ser_settings *settings, const char *name, const char *value);

/* Back to what they were when the text had that length. */
void ser_settings_cut(ser_settings *settings, size_t length);

const char *ser_settings_text(const ser_settings *settings);

/* SER_USAGE with a message if a name or a value is not one of the runtime's.
 * *help is set if it asks for help (help=1). */
ser_status ser_settings_check(ser_settings *settings, bool *help, ser_error *error);

/* The names and their meaning. */
void ser_settings_help(FILE *file);

/* Which classes of a Java program are rewritten: patterns, separated by commas. NULL: none. */
typedef struct ser_class_choice {
    const char *include, *exclude;
    const char *dump; /* a folder for what they are rewritten to */
} ser_class_choice;

/* Puts them into the environment, where the agent finds them, and makes the folder. */
ser_status ser_class_choice_hand_over(const ser_class_choice *choice, ser_error *error);

#endif
