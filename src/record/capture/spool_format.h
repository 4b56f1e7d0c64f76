/* SPDX-License-Identifier: MIT */
/*
 * spool_format.h - inside of spool.h: what its writer and its reader agree on.
 */
#ifndef SER_RECORD_CAPTURE_SPOOL_FORMAT_H
#define SER_RECORD_CAPTURE_SPOOL_FORMAT_H

#include <string.h>

#include "record/capture/pack.h"
#include "record/capture/spool.h"

#define SER_SPOOL_MAGIC "SERSPOOL"

enum {
    SER_SPOOL_VERSION = 3,
    SER_SPOOL_OLDEST = 2, /* that we read: it has another checksum */
    SER_SPOOL_HEADER = 16,
    SER_SPOOL_FRAME = 16,
    SER_SPOOL_LARGEST = SER_SPOOL_BLOCK * SER_PACK_LONGEST, /* payload of a block */
};

static inline void ser_spool_put32(uint8_t *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
}

static inline uint32_t ser_spool_get32(const uint8_t *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

#endif
