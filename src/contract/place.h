/* SPDX-License-Identifier: MIT */
/*
 * place.h - the number by which a place of the program is known in schedules: a hash of
 * "file:line", or "file:line:column", as locations stand in traces, and of the operation there.
 *
 * Plans make it of texts, the runtime of sites: both must get the same.
 */
#ifndef SER_CONTRACT_PLACE_H
#define SER_CONTRACT_PLACE_H

#include <stdint.h>

/* FNV-1a. */
static inline uint64_t ser_place_add(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* Of a location's text. */
static inline uint64_t ser_place_of_text(const char *location)
{
    return ser_place_add(UINT64_C(0xcbf29ce484222325), location);
}

static inline uint64_t ser_place_add_number(uint64_t hash, uint32_t number)
{
    char digits[12];
    char *first = digits + sizeof digits;
    *--first = '\0';
    do
        *--first = (char)('0' + number % 10);
    while (number /= 10);
    *--first = ':';
    return ser_place_add(hash, first);
}

/* The same of its parts; column 0: it has none. */
static inline uint64_t ser_place_of_line(const char *file, uint32_t line, uint32_t column)
{
    uint64_t hash = ser_place_add_number(ser_place_of_text(file), line);
    return column ? ser_place_add_number(hash, column) : hash;
}

/* The operation at a place. */
static inline uint64_t ser_place_with(uint64_t place, uint8_t op)
{
    return (place ^ op) * UINT64_C(0x100000001b3);
}

#endif
