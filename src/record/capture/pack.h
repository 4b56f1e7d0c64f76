/* SPDX-License-Identifier: MIT */
/*
 * pack.h - records as few bytes, and back, in a few nanoseconds each.
 *
 * The kind of a record (site, thread, operation, size) is predicted: usually it is the kind that
 * followed the record before it the last time. Address and value mostly have the same high bytes as
 * those of the last record of this kind. So a record is
 *
 *     a byte: bit 0 the kind was foreseen; bits 1-3, 4-6 how many bytes address and value
 *     take (0 to 6; 7 stands for 8)
 *     the bits in which they differ, low bytes first
 *     [8 bytes: the kind, unless it was foreseen]
 *
 * Records come in the order of the run, so that their clocks are no longer needed: they are not
 * stored, and are 0 after unpacking. Definitions and texts use that field for something else, and
 * are few: a byte with bit 7 set, and the record unchanged.
 *
 * Packer and unpacker must see the same records from the start. Not thread-safe.
 */
#ifndef SER_RECORD_CAPTURE_PACK_H
#define SER_RECORD_CAPTURE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/channel.h"

enum {
    SER_PACK_KINDS = 4096,
    SER_PACK_LONGEST = 33, /* bytes of a record, at most */
    SER_PACK_SLACK = 64,   /* bytes that may be written, or read, behind the last */
};

typedef struct ser_pack_kind {
    uint64_t next; /* the kind that came after this one */
    uint64_t object, value;
} ser_pack_kind;

/* All zero at first. */
typedef struct ser_pack_state {
    uint32_t before;    /* the place of the kind of the record before */
    uint64_t text_left; /* the packer's: of a text whose bytes come just now */
    ser_pack_kind kinds[SER_PACK_KINDS];
} ser_pack_state;

/* `bytes` has room for count * SER_PACK_LONGEST + SER_PACK_SLACK. Returns the packed size. */
size_t ser_pack(ser_pack_state *state, const ser_record *records, size_t count, uint8_t *bytes);

/* SER_PACK_SLACK bytes behind size must be readable. Returns how many bytes the records take:
 * more than size if some are missing. */
size_t ser_unpack(ser_pack_state *state, const uint8_t *bytes, size_t size, ser_record *records,
                  size_t count);

#endif
