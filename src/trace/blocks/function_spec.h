/* SPDX-License-Identifier: MIT */
/*
 * function_spec.h - a file that names the functions meant to be atomic.
 *
 *     # deposits and everything of the class Account, but not its getters
 *     deposit
 *     bank::Account::*
 *     -bank::Account::get*
 *
 * One pattern per line (as in the shell: * ? [...]), blanks around it do not
 * count, nor do empty lines and lines that start with #. A function is atomic if
 * some line names it and no line with `-` in front does; the order of lines does
 * not matter. A pattern may name a C++ function with its parameter list or without, and without
 * that also without the arguments of its own template or of all: Cache<int>::get and Cache::get
 * are Cache<int>::get<long>. Functions of one name, such as overloads, are told apart by the place
 * where they begin: Account::add@account.cc:17, with as much of the path as is wanted.
 */
#ifndef SER_TRACE_BLOCKS_FUNCTION_SPEC_H
#define SER_TRACE_BLOCKS_FUNCTION_SPEC_H

#include <stddef.h>

#include "base/status.h"

typedef struct ser_function_spec ser_function_spec;

ser_status ser_function_spec_read(ser_function_spec **spec, const char *path, ser_error *error);
void ser_function_spec_destroy(ser_function_spec *spec);

/* The lines that name functions, rather than exclude them, from 0. */
size_t ser_function_spec_lines(const ser_function_spec *spec);
const char *ser_function_spec_line(const ser_function_spec *spec, size_t line);
bool ser_function_spec_line_names(const ser_function_spec *spec, size_t line, const char *function,
                                  const char *place);

/* Does any line name a place? If not, the place of a function does not matter below. */
bool ser_function_spec_has_places(const ser_function_spec *spec);

/* A function that begins at a place ("" where it is not known). O(lines); callers cache the answer.
 */
bool ser_function_spec_names(const ser_function_spec *spec, const char *function,
                             const char *place);

#endif
