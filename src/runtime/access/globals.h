/* SPDX-License-Identifier: MIT */
/*
 * globals.h - which global variables of the program were written?
 *
 * What a variable holds before its first write no read may show, yet another interleaving may read
 * it. So it is recorded with that write (SER_RAW_HELD). One bit for each byte of the program's
 * data, up to SER_GLOBALS_MOST bytes. Set by threads that are inside; should two of them lose a bit
 * in parallel mode, a value is recorded twice.
 */
#ifndef SER_RUNTIME_ACCESS_GLOBALS_H
#define SER_RUNTIME_ACCESS_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/records/record.h"

enum { SER_GLOBALS_MOST = 1 << 19 };

extern struct ser_globals {
    uintptr_t start, size; /* 0: not known, and nothing is a first write */
    uint8_t written[SER_GLOBALS_MOST / 8];
} ser_globals;

/* Before main. */
void ser_globals_locate(void);

static inline bool ser_globals_is_first_write(uintptr_t address)
{
    uintptr_t byte = address - ser_globals.start;
    return ser_unlikely(byte < ser_globals.size) &&
           ser_unlikely(!(ser_globals.written[byte / 8] >> byte % 8 & 1));
}

/* Records what is at such an address, and that it is written. The thread is inside, and has the
 * line locked. */
void ser_globals_record_held(ser_thread *me, const void *address, uint32_t size);

#endif
