/* SPDX-License-Identifier: MIT */
/*
 * response.h - command lines with their response files (@FILE) read in.
 *
 * Words are separated by white space; quotes of both kinds and backslashes keep it,
 * as in a shell. Files may name further files. The words own their memory.
 */
#ifndef SER_DRIVER_RESPONSE_H
#define SER_DRIVER_RESPONSE_H

#include "base/vector.h"

typedef SER_VECTOR(char *) ser_response;

/* Appends copies of the words; those of files that can be read in their place. */
void ser_response_expand(ser_response *response, char *const *words, size_t count);

void ser_response_fini(ser_response *response);

#endif
