/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a spool: as its payload, with right checksums; and as records, which
 * then go all the way to a trace. Neither may crash, hang, or leak.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "fuzz.h"
#include "record/capture/pack.h"
#include "record/capture/spool.h"
#include "record/capture/spool_format.h"
#include "record/events/finish.h"
#include "trace/event.h"

static void put32(uint8_t *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
}

/* A file with one block; its path is good as long as the descriptor. Layout: spool.h. */
static int write_spool(const uint8_t *payload, size_t size, uint32_t records, char path[64])
{
    uint8_t head[32] = "SERSPOOL";
    int fd = memfd_create("spool", 0);
    put32(head + 8, SER_SPOOL_VERSION);
    put32(head + 12, ser_spool_checksum(SER_SPOOL_VERSION, head + 8, 4));
    put32(head + 16, records);
    put32(head + 20, (uint32_t)size);
    put32(head + 24, ser_spool_checksum(SER_SPOOL_VERSION, payload, size));
    put32(head + 28, ser_spool_checksum(SER_SPOOL_VERSION, head + 16, 12));
    if (write(fd, head, sizeof head) != sizeof head || write(fd, payload, size) != (ssize_t)size)
        abort();
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void finish(const uint8_t *payload, size_t size, uint32_t records)
{
    char path[64];
    int fd = write_spool(payload, size, records, path);
    ser_finish_options options = {.spool = path, .trace = "/dev/null", .verify = size % 2};
    ser_finish_result result = {0};
    ser_error error;
    ser_finish(&options, NULL, &result, &error);
    ser_vector_free(&result.messages);
    close(fd);
}

/* Operations that exist, and ranges that do not take forever. */
static void make_likely(ser_record *record)
{
    if (record->op >= SER_OP_COUNT)
        record->op = (uint8_t)(SER_RAW_FIRST + record->op % (SER_RAW_CHUNK - SER_RAW_FIRST + 1));
    if (record->op == SER_RAW_RANGE_READ || record->op == SER_RAW_RANGE_WRITE)
        record->value &= 0xfffff;
    if (record->op == SER_RAW_MODULE)
        record->value = 0; /* no files of the machine */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = size / sizeof(ser_record);
    ser_record *records = ser_alloc(count + 1, sizeof *records);
    ser_pack_state *state = ser_alloc(1, sizeof *state);
    uint8_t *packed = ser_alloc(count * SER_PACK_LONGEST + SER_PACK_SLACK, 1);
    memcpy(records, data, count * sizeof *records);
    for (size_t i = 0; i < count; i++)
        make_likely(&records[i]);
    finish(packed, ser_pack(state, records, count, packed), (uint32_t)count);
    if (size > 1) {
        ser_spool_reader *reader;
        char path[64];
        ser_error error;
        const ser_record *found;
        size_t found_count = 1;
        int fd = write_spool(data + 1, size - 1, data[0], path);
        if (ser_spool_open(&reader, path, &error) == SER_OK)
            while (found_count > 0 &&
                   ser_spool_next(reader, &found, &found_count, &error) == SER_OK)
                ;
        ser_spool_reader_close(reader);
        close(fd);
    }
    free(packed);
    free(state);
    free(records);
    return 0;
}
