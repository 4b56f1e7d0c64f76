/* SPDX-License-Identifier: MIT */
/*
 * native_aside.h - data in a native trace besides names and events.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_ASIDE_H
#define SER_TRACE_NATIVE_NATIVE_ASIDE_H

#include <stdint.h>

#include "base/status.h"
#include "base/vector.h"

typedef SER_VECTOR(uint8_t) ser_byte_list;

/* Appends the payloads of all blocks of that kind (native_format.h), in their order; nothing
 * if the file is no native trace. One pass over the file. */
ser_status ser_native_read_aside(const char *path, uint8_t kind, ser_byte_list *bytes,
                                 ser_error *error);

#endif
