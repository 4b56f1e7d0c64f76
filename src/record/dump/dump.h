/* SPDX-License-Identifier: MIT */
/*
 * dump.h - records, spools and channels in words, for developers of seriatim.
 *
 * Meant for damaged files and programs that hang: it shows what is there, and what is wrong with
 * it, where the rest of the recorder would refuse it.
 */
#ifndef SER_RECORD_DUMP_H
#define SER_RECORD_DUMP_H

#include <stdio.h>

#include "base/status.h"
#include "record/capture/definitions.h"

typedef struct ser_dump {
    FILE *file;
    ser_definitions definitions; /* of what was printed so far */
} ser_dump;

/* One line: its number, thread, operation, operands, size and place. */
void ser_dump_record(ser_dump *dump, uint64_t number, const ser_record *record);
void ser_dump_fini(ser_dump *dump);

/* A spool (spool.h): its header, blocks and records. After a damaged block the dump goes on with
 * the next one that is found; its records may be wrong, since each is encoded relative to those
 * before. The status is SER_INPUT if it cannot be read, or is damaged. */
ser_status ser_dump_spool(const char *path, FILE *file, ser_error *error);

/* The channel of a recording: the process of the recorder, or a file that is a copy of the channel.
 * The state of every ring, and its last records, at most so many. */
ser_status ser_dump_channel(const char *process_or_path, uint64_t last, FILE *file,
                            ser_error *error);

#endif
