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
 * not matter. A pattern may name a C++ function with its parameter list or without.
 */
#ifndef SER_TRACE_BLOCKS_FUNCTION_SPEC_H
#define SER_TRACE_BLOCKS_FUNCTION_SPEC_H

#include "base/status.h"

typedef struct ser_function_spec ser_function_spec;

ser_status ser_function_spec_read(ser_function_spec **spec, const char *path, ser_error *error);
void ser_function_spec_destroy(ser_function_spec *spec);

/* O(lines); callers cache the answer. */
bool ser_function_spec_names(const ser_function_spec *spec, const char *function);

#endif
