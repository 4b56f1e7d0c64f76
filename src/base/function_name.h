/* SPDX-License-Identifier: MIT */
/*
 * function_name.h - demangled names of C++ functions, "bank::Account::add(long) const".
 */
#ifndef SER_BASE_FUNCTION_NAME_H
#define SER_BASE_FUNCTION_NAME_H

#include <stddef.h>

/* Where the list of parameters starts, or the name's length if it has none: the length of
 * "bank::Account::add". */
size_t ser_length_without_parameters(const char *name);

#endif
