/* SPDX-License-Identifier: MIT */
/*
 * The whole file in memory; a block is looked for at each byte, so that what comes after a damaged
 * one is found. A frame has a checksum of its own, so that it is not found by chance.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output/print.h"
#include "record/capture/spool_format.h"
#include "record/dump/dump.h"

typedef struct spool_dump {
    ser_dump records;
    const uint8_t *bytes;
    size_t size, at;
    uint64_t blocks, count; /* blocks and records so far */
    uint64_t faults;
    ser_pack_state state;
    uint32_t version; /* of the spool */
    uint8_t packed[SER_SPOOL_LARGEST + SER_PACK_SLACK];
    ser_record unpacked[SER_SPOOL_BLOCK];
} spool_dump;

static void print_fault(spool_dump *dump, size_t at, const char *what)
{
    dump->faults++;
    ser_print(dump->records.file, "! byte %zu: %s\n", at, what);
}

static void dump_header(spool_dump *dump)
{
    if (dump->size < SER_SPOOL_HEADER) {
        print_fault(dump, 0, "the file is shorter than a header");
        dump->at = dump->size;
        return;
    }
    if (memcmp(dump->bytes, SER_SPOOL_MAGIC, 8) != 0)
        print_fault(dump, 0, "it does not begin as a spool does");
    dump->version = ser_spool_get32(dump->bytes + 8);
    if (ser_spool_get32(dump->bytes + 12) != ser_spool_checksum(dump->version, dump->bytes + 8, 4))
        print_fault(dump, 8, "the checksum of the version is wrong");
    ser_print(dump->records.file, "spool, version %" PRIu32 ", %zu bytes\n", dump->version,
              dump->size);
    if (dump->version != SER_SPOOL_VERSION)
        print_fault(dump, 8, "this is not the version that this program writes");
    dump->at = SER_SPOOL_HEADER;
}

static bool is_frame(const spool_dump *dump, size_t at)
{
    const uint8_t *frame = dump->bytes + at;
    return dump->size - at >= SER_SPOOL_FRAME &&
           ser_spool_get32(frame + 12) == ser_spool_checksum(dump->version, frame, 12) &&
           ser_spool_get32(frame) > 0 && ser_spool_get32(frame) <= SER_SPOOL_BLOCK &&
           ser_spool_get32(frame + 4) <= SER_SPOOL_LARGEST;
}

static void dump_records(spool_dump *dump, const uint8_t *payload, size_t size, uint32_t count)
{
    memcpy(dump->packed, payload, size);
    memset(dump->packed + size, 0, SER_PACK_SLACK);
    size_t used = 0;
    uint32_t done = 0;
    while (done < count && used < size) {
        used += ser_unpack(&dump->state, dump->packed + used, size - used, dump->unpacked, 1);
        if (used <= size)
            ser_dump_record(&dump->records, dump->count + done++, dump->unpacked);
    }
    if (done < count || used != size)
        print_fault(dump, dump->at, "records and bytes of the block above do not fit together");
    dump->count += count;
}

/* A frame stands at dump->at. */
static void dump_block(spool_dump *dump)
{
    const uint8_t *frame = dump->bytes + dump->at;
    uint32_t count = ser_spool_get32(frame), stored = ser_spool_get32(frame + 4);
    size_t left = dump->size - dump->at - SER_SPOOL_FRAME, size = stored < left ? stored : left;
    ser_print(dump->records.file,
              "block %" PRIu64 " at byte %zu: %" PRIu32 " records in %" PRIu32 " bytes\n",
              dump->blocks++, dump->at, count, stored);
    if (size < stored)
        print_fault(dump, dump->at, "the file ends within the block");
    else if (ser_spool_get32(frame + 8) !=
             ser_spool_checksum(dump->version, frame + SER_SPOOL_FRAME, stored))
        print_fault(dump, dump->at, "the checksum of the block is wrong: records may be, too");
    dump_records(dump, frame + SER_SPOOL_FRAME, size, count);
    dump->at += SER_SPOOL_FRAME + size;
}

static void dump_whole(spool_dump *dump)
{
    dump_header(dump);
    while (dump->at < dump->size) {
        size_t next = dump->at;
        while (next < dump->size && !is_frame(dump, next))
            next++;
        if (next > dump->at)
            print_fault(dump, dump->at, "no block stands here: records are missing");
        dump->at = next;
        if (next < dump->size)
            dump_block(dump);
    }
    ser_print(dump->records.file, "%" PRIu64 " records in %" PRIu64 " blocks, %" PRIu64 " faults\n",
              dump->count, dump->blocks, dump->faults);
}

/* An empty file cannot be mapped, and needs not be. */
static ser_status map_file(const char *path, const uint8_t **bytes, size_t *size, ser_error *error)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *memory = NULL;
    bool good = fd >= 0 && fstat(fd, &about) == 0;
    if (good && about.st_size > 0)
        memory = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (!good || memory == MAP_FAILED) {
        ser_fail(error, SER_INPUT, "cannot read %s: %s", path, strerror(errno));
        good = false;
    }
    if (fd >= 0)
        close(fd);
    *bytes = memory;
    *size = good ? (size_t)about.st_size : 0;
    return good ? SER_OK : SER_INPUT;
}

ser_status ser_dump_spool(const char *path, FILE *file, ser_error *error)
{
    const uint8_t *bytes;
    size_t size;
    ser_status status = map_file(path, &bytes, &size, error);
    if (status != SER_OK)
        return status;
    spool_dump *dump = ser_alloc(1, sizeof *dump);
    dump->records.file = file;
    dump->bytes = bytes;
    dump->size = size;
    dump_whole(dump);
    status = dump->faults ? SER_INPUT : SER_OK;
    if (size > 0)
        munmap((void *)(uintptr_t)bytes, size);
    ser_dump_fini(&dump->records);
    free(dump);
    return status;
}
