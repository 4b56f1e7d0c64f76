/* SPDX-License-Identifier: MIT */
/*
 * native_bytes.h - a cursor over bytes that cannot leave them.
 *
 * A read beyond the end sets `bad`, and all further reads give 0 or NULL, so that callers may read
 * several numbers and check once.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_BYTES_H
#define SER_TRACE_NATIVE_NATIVE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ser_native_bytes {
    const uint8_t *at, *end;
    bool bad;
} ser_native_bytes;

/* The next size bytes; NULL if there are fewer. */
static inline const uint8_t *ser_native_bytes_take(ser_native_bytes *bytes, uint64_t size)
{
    if (bytes->bad || size > (uint64_t)(bytes->end - bytes->at)) {
        bytes->bad = true;
        return NULL;
    }
    const uint8_t *taken = bytes->at;
    bytes->at += size;
    return taken;
}

/* A number as ser_store_varint writes it; one of more than 64 bits is bad. */
static inline uint64_t ser_native_bytes_varint(ser_native_bytes *bytes)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t *byte = ser_native_bytes_take(bytes, 1);
        if (!byte || (shift == 63 && *byte > 1))
            break;
        number |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80)
            return number;
    }
    bytes->bad = true;
    return 0;
}

#endif
