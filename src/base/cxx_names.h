/* SPDX-License-Identifier: MIT */
/*
 * cxx_names.h - names as C++ and its library have them: "bank::Account::add(long) const", "_M_p".
 */
#ifndef SER_BASE_CXX_NAMES_H
#define SER_BASE_CXX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Where the list of parameters starts, or the name's length if it has none: the length of
 * "bank::Account::add". */
size_t ser_length_without_parameters(const char *name);

/* "names[abi:cxx11]" becomes "names": which version of its library a compiler uses is of no
 * interest to people. In place. */
void ser_drop_abi_tags(char *name);

/* A name that only compilers and their library may use, which says nothing to a programmer. */
bool ser_is_reserved_name(const char *name);

#endif
