/* SPDX-License-Identifier: MIT */
#include "record/dump/dump.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "trace/event.h"

static const char *const raw_names[] = {
    [SER_RAW_TEXT - SER_RAW_FIRST] = "TEXT",
    [SER_RAW_SITE - SER_RAW_FIRST] = "SITE",
    [SER_RAW_SITE_LINE - SER_RAW_FIRST] = "SITE_LINE",
    [SER_RAW_SITE_CODE - SER_RAW_FIRST] = "SITE_CODE",
    [SER_RAW_MODULE - SER_RAW_FIRST] = "MODULE",
    [SER_RAW_THREAD - SER_RAW_FIRST] = "THREAD",
    [SER_RAW_ALLOCATE - SER_RAW_FIRST] = "ALLOCATE",
    [SER_RAW_FREE - SER_RAW_FIRST] = "FREE",
    [SER_RAW_LOCAL - SER_RAW_FIRST] = "LOCAL",
    [SER_RAW_MAP - SER_RAW_FIRST] = "MAP",
    [SER_RAW_RANGE_READ - SER_RAW_FIRST] = "RANGE_READ",
    [SER_RAW_RANGE_WRITE - SER_RAW_FIRST] = "RANGE_WRITE",
    [SER_RAW_LOST - SER_RAW_FIRST] = "LOST",
    [SER_RAW_STOLEN - SER_RAW_FIRST] = "STOLEN",
    [SER_RAW_BLOCKED - SER_RAW_FIRST] = "BLOCKED",
    [SER_RAW_DEADLOCK - SER_RAW_FIRST] = "DEADLOCK",
    [SER_RAW_END - SER_RAW_FIRST] = "END",
    [SER_RAW_CHUNK - SER_RAW_FIRST] = "CHUNK",
    [SER_RAW_REPLAYED - SER_RAW_FIRST] = "REPLAYED",
    [SER_RAW_DIVERGED - SER_RAW_FIRST] = "DIVERGED",
    [SER_RAW_INPUT - SER_RAW_FIRST] = "INPUT",
    [SER_RAW_INPUT_BYTES - SER_RAW_FIRST] = "INPUT_BYTES",
    [SER_RAW_RENEW - SER_RAW_FIRST] = "RENEW",
    [SER_RAW_AFTER - SER_RAW_FIRST] = "AFTER",
    [SER_RAW_THREAD_LIMIT - SER_RAW_FIRST] = "THREAD_LIMIT",
    [SER_RAW_TURNS - SER_RAW_FIRST] = "TURNS",
    [SER_RAW_OUTSIDE - SER_RAW_FIRST] = "OUTSIDE",
    [SER_RAW_RANGE_FREE - SER_RAW_FIRST] = "RANGE_FREE",
    [SER_RAW_TURN_LOST - SER_RAW_FIRST] = "TURN_LOST",
    [SER_RAW_OBJECT - SER_RAW_FIRST] = "OBJECT",
    [SER_RAW_UNCAUGHT - SER_RAW_FIRST] = "UNCAUGHT",
    [SER_RAW_MEETS - SER_RAW_FIRST] = "MEETS",
    [SER_RAW_OPERAND - SER_RAW_FIRST] = "OPERAND",
    [SER_RAW_HELD - SER_RAW_FIRST] = "HELD",
    [SER_RAW_PAIR_WRITE - SER_RAW_FIRST] = "PAIR_WRITE",
    [SER_RAW_PAIR_UPDATE - SER_RAW_FIRST] = "PAIR_UPDATE",
    [SER_RAW_STREAM - SER_RAW_FIRST] = "STREAM",
    [SER_RAW_UNSENT - SER_RAW_FIRST] = "UNSENT",
};

enum { RAW_NAMES = sizeof raw_names / sizeof *raw_names };

/* NULL: there is no such operation. */
static const char *name_of(uint8_t op)
{
    if (op < SER_OP_COUNT)
        return ser_op_name((ser_op)op);
    return op >= SER_RAW_FIRST && op - SER_RAW_FIRST < RAW_NAMES ? raw_names[op - SER_RAW_FIRST]
                                                                 : NULL;
}

static void print_op(const ser_dump *dump, uint8_t op)
{
    const char *name = name_of(op);
    if (name)
        ser_print(dump->file, "%-11s", name);
    else
        ser_print(dump->file, "op %-8u", op);
}

/* Bytes of a text that was announced: what cannot be printed is shown as a dot. */
static void print_text_bytes(const ser_dump *dump, const ser_record *record, uint64_t length)
{
    char text[sizeof *record + 1];
    size_t size = length < sizeof *record ? (size_t)length : sizeof *record;
    memcpy(text, record, size);
    text[size] = 0;
    for (size_t i = 0; i < size; i++)
        if (!isprint((unsigned char)text[i]))
            text[i] = '.';
    ser_print(dump->file, "     text bytes  \"%s\"\n", text);
}

static void print_site(const ser_dump *dump, uint32_t number)
{
    if (!number)
        return;
    ser_defined_site site = ser_definitions_site(&dump->definitions, number);
    const char *file = ser_definitions_text(&dump->definitions, site.file);
    const char *function = ser_definitions_text(&dump->definitions, site.function);
    ser_print(dump->file, "  site %" PRIu32, number);
    if (file)
        ser_print(dump->file, " %s:%" PRIu32, file, site.line);
    if (function)
        ser_print(dump->file, " %s", function);
}

void ser_dump_record(ser_dump *dump, uint64_t number, const ser_record *record)
{
    uint64_t text_left = dump->definitions.bytes_left;
    ser_print(dump->file, "%8" PRIu64, number);
    if (ser_definitions_take(&dump->definitions, record) && text_left > 0) {
        print_text_bytes(dump, record, text_left);
        return;
    }
    ser_print(dump->file, " T%-4u", record->thread);
    print_op(dump, record->op);
    ser_print(dump->file, " object 0x%" PRIx64 "  value 0x%" PRIx64, record->object, record->value);
    if (record->size)
        ser_print(dump->file, "  size %u", record->size);
    if (record->clock)
        ser_print(dump->file, "  clock %" PRIu64, record->clock);
    print_site(dump, record->site);
    ser_print(dump->file, "\n");
}

void ser_dump_fini(ser_dump *dump)
{
    ser_definitions_fini(&dump->definitions);
}
