/* SPDX-License-Identifier: MIT */
/*
 * driver.h - the compiler front ends: a command line for clang goes in, the same
 * with what instrumentation needs goes out, and clang takes over.
 *
 * clang loads the instrumenter itself, as a plugin, so the command line need not be parsed. What we
 * add is put in front of it, where options of the user override it, and where our library is linked
 * before all others. The line is only scanned to find out whether clang will link.
 */
#ifndef SER_DRIVER_DRIVER_H
#define SER_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/vector.h"

/* What a command line asks for. */
typedef struct ser_command_line {
    bool has_input;      /* a file, a library or standard input */
    bool stops_early;    /* -c, -E and the like: nothing is linked */
    bool is_static;      /* -static: the runtime, a shared library, cannot be linked */
    bool checks_threads; /* -fsanitize=thread: its runtime takes the place of ours */
    bool is_relocatable; /* -r: linked again later */
} ser_command_line;

/* Scans arguments of clang, including those in response files (@FILE; if one cannot be read, clang
 * reports it). */
ser_command_line ser_line_read(char *const *arguments, size_t count);

/* Will clang link a program or shared library? */
bool ser_line_links(const ser_command_line *line);

/* Where the parts of seriatim lie; absolute, to be freed by ser_parts_fini. What is
 * not found is NULL. */
typedef struct ser_parts {
    char *clang, *plugin, *runtime, *include;
} ser_parts;

/* Finds them beside the program that runs (a build tree) or in the folders of an
 * installation. SERIATIM_CLANG and SERIATIM_RUNTIME name others. */
void ser_parts_find(ser_parts *parts, bool cplusplus);
void ser_parts_fini(ser_parts *parts);

typedef SER_VECTOR(char *) ser_words;

/*
 * The command line for clang, NULL-terminated. `arguments` are the user's, without
 * the name of the program; they are not copied. What else is in the words is owned
 * by them (ser_words_fini). Fails if a part is missing that is needed.
 */
ser_status ser_driver_line(const ser_parts *parts, bool tsan_abi, char *const *arguments,
                           size_t count, ser_words *words, size_t *owned, ser_error *error);
void ser_words_fini(ser_words *words, size_t owned);

/* Becomes clang. Returns only if that fails, with a message in error. */
ser_status ser_driver_run(bool cplusplus, int argc, char **argv, ser_error *error);

#endif
