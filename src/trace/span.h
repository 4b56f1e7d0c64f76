/* SPDX-License-Identifier: MIT */
/*
 * span.h - bytes in memory that is owned elsewhere.
 */
#ifndef SER_TRACE_SPAN_H
#define SER_TRACE_SPAN_H

#include <stddef.h>

typedef struct ser_span {
    const char *text;
    size_t length;
} ser_span;

#endif
