/* SPDX-License-Identifier: MIT */
/*
 * options.h - one table of options, from which a command line is parsed and
 * its help and manual page are printed.
 *
 * GNU style: --name=value, --name value, -o value, -ovalue, -qo value; `--`
 * ends the options; `-` is an operand. The last of several values counts.
 */
#ifndef SER_BASE_OPTIONS_OPTIONS_H
#define SER_BASE_OPTIONS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum ser_option_kind {
    SER_OPTION_FLAG,
    SER_OPTION_TEXT,
    SER_OPTION_NUMBER,  /* a whole number from .least to .most */
    SER_OPTION_SECONDS, /* a number above 0, possibly with a fraction */
    SER_OPTION_CHOICE,  /* one of .choices */
} ser_option_kind;

typedef struct ser_option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* short name, 0 for none */
    ser_option_kind kind;
    const char *argument; /* what the value is called in the help: "FILE" */
    const char *standard; /* the value if the option is not given; NULL for none */
    uint64_t least, most;
    const char *choices; /* "one|two|three" */
    const char *help;    /* starts in lower case, no full stop at the end */
} ser_option;

/* A parsed command line. Texts are those of argv or of the table. */
typedef struct ser_arguments ser_arguments;

/*
 * Parses argv[0..argc) by the table, which must outlive the result. Wrong use
 * is SER_USAGE with a message, with a suggestion where a name was nearly right.
 */
ser_status ser_arguments_parse(ser_arguments **arguments, const ser_option *table, int argc,
                               char **argv, ser_error *error);
void ser_arguments_destroy(ser_arguments *arguments);

/* Is there such an option? All other functions may be asked only for those that there are. */
bool ser_arguments_knows(const ser_arguments *arguments, const char *name);

/* Was the option on the command line? */
bool ser_arguments_given(const ser_arguments *arguments, const char *name);

/* The first option of the list, which NULL ends, that was; NULL: none was. */
const char *ser_arguments_any_given(const ser_arguments *arguments, const char *const *names);

/* The value of an option, or its standard value; NULL if it has neither. Asking
 * for an option that is not in the table is a bug. */
const char *ser_arguments_text(const ser_arguments *arguments, const char *name);

/* The same for a NUMBER and for SECONDS; 0 where there is no value. */
uint64_t ser_arguments_number(const ser_arguments *arguments, const char *name);
double ser_arguments_seconds(const ser_arguments *arguments, const char *name);

/* What is not an option, in order. */
size_t ser_arguments_operand_count(const ser_arguments *arguments);
const char *ser_arguments_operand(const ser_arguments *arguments, size_t index);

#endif
