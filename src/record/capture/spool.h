/* SPDX-License-Identifier: MIT */
/*
 * spool.h - records on their way from the program to the trace, in a file.
 *
 * Variables are known only when the run is over, so the recorder first writes the records
 * themselves, as they come: a header, then blocks, each with checksums, so that all but the last
 * block can be read whatever process dies. Bytes once written never change. A spool and its reader
 * are for one thread each.
 *
 *     header (16 bytes): magic 8, version 4, checksum of these 4
 *     block: records 4, stored size 4, checksum of the stored bytes 4, of these 12
 *            bytes 4,
 *            then the records (pack.h)
 *
 * Checksums are the low half of XXH3, 64 bits; version 2 had a checksum of its own. A spool is read
 * on the machine it was written on: records are as in memory.
 */
#ifndef SER_RECORD_CAPTURE_SPOOL_H
#define SER_RECORD_CAPTURE_SPOOL_H

#include <stddef.h>

#include "base/status.h"
#include "contract/channel.h"

enum {
    SER_SPOOL_BLOCK = 1 << 15, /* records in a block, at most */
    SER_SPOOL_PIECE = 1 << 12, /* records that a reader gives at once */
};

typedef struct ser_spool ser_spool;

/* Of what a spool of this version holds. */
uint32_t ser_spool_checksum(uint32_t version, const void *bytes, size_t size);

/* Creates the file, and locks it for as long as it is open. One that exists is what an earlier
 * recorder left when it died, or another one is writing it: it is not overwritten. */
ser_status ser_spool_create(ser_spool **spool, const char *path, ser_error *error);

/* Removes the file if it is a spool whose recorder has died. */
void ser_spool_remove_dead(const char *path);

/* Adds records; a block that is full is written. After an error nothing more is
 * written, and the file ends with its last whole block. */
ser_status ser_spool_put(ser_spool *spool, const ser_record *records, size_t count,
                         ser_error *error);

/* Writes what is pending as a block of its own. */
ser_status ser_spool_flush(ser_spool *spool, ser_error *error);

/* Records in the file or pending; bytes in the file. */
uint64_t ser_spool_records(const ser_spool *spool);
uint64_t ser_spool_bytes(const ser_spool *spool);

/* Closes without flushing. Also NULL. */
void ser_spool_close(ser_spool *spool);

typedef struct ser_spool_reader ser_spool_reader;

ser_status ser_spool_open(ser_spool_reader **reader, const char *path, ser_error *error);
void ser_spool_reader_close(ser_spool_reader *reader);

/* The next records, at most SER_SPOOL_PIECE, valid until the next call; *count is 0 at the end.
 * A thread of the reader's own reads ahead by some pieces. A file that ends inside a block, or
 * has a damaged one, is read up to that block; is_cut says so at the end. */
ser_status ser_spool_next(ser_spool_reader *reader, const ser_record **records, size_t *count,
                          ser_error *error);
bool ser_spool_is_cut(const ser_spool_reader *reader);

#endif
