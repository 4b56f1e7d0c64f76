/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "report/info.h"

enum { NAME_WIDTH = 20, NUMBER_WIDTH = 15 };

/* 1234567 as "1,234,567". The buffer is the caller's. */
static const char *group_digits(uint64_t number, char buffer[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = buffer;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

static void print_text(FILE *file, const char *name, const char *text)
{
    ser_print(file, "%-*s  %s\n", NAME_WIDTH, name, text);
}

static void print_number(FILE *file, const char *name, uint64_t number)
{
    char buffer[32];
    ser_print(file, "%-*s%*s\n", NAME_WIDTH, name, NUMBER_WIDTH, group_digits(number, buffer));
}

/* For what most traces do not have. */
static void print_number_if_any(FILE *file, const char *name, uint64_t number)
{
    if (number)
        print_number(file, name, number);
}

static void print_counts(FILE *file, const ser_counts *counts)
{
    print_number(file, "events", counts->events);
    print_number(file, "threads", counts->threads);
    print_number(file, "lock events", counts->lock_events);
    print_number(file, "locks", counts->locks);
    print_number(file, "read/write events", counts->accesses);
    print_number(file, "variables", counts->variables);
    print_number(file, "wait/notify events", counts->waits_and_notifies);
    print_number_if_any(file, "conditions", counts->objects[SER_SPACE_CONDITION]);
    print_number_if_any(file, "barriers", counts->objects[SER_SPACE_BARRIER]);
    print_number_if_any(file, "semaphores", counts->objects[SER_SPACE_SEMAPHORE]);
    print_number_if_any(file, "functions", counts->objects[SER_SPACE_FUNCTION]);
    print_number(file, "blocks", counts->blocks);
    print_number(file, "open blocks", counts->open_blocks);
    print_number(file, "longest block", counts->longest_block);
    print_number(file, "nesting depth", counts->deepest_begin);
    print_number_if_any(file, "operations elided", counts->elided);
}

static void print_operations(FILE *file, const ser_counts *counts)
{
    ser_print(file, "\n%-*s%*s%9s\n", NAME_WIDTH, "operation", NUMBER_WIDTH, "events", "share");
    for (int op = 0; op < SER_OP_COUNT; op++) {
        uint64_t number = counts->operations[op];
        if (number == 0)
            continue;
        char buffer[32];
        ser_print(file, "  %-*s%*s%8.1f%%\n", NAME_WIDTH - 2, ser_op_name((ser_op)op), NUMBER_WIDTH,
                  group_digits(number, buffer), 100.0 * (double)number / (double)counts->events);
    }
}

static void print_notes(FILE *file, const ser_symbols *symbols)
{
    uint32_t count = ser_symbols_note_count(symbols);
    if (count > 0)
        fputc('\n', file);
    for (uint32_t i = 0; i < count; i++)
        ser_print(file, "note: %s\n", ser_symbols_note(symbols, i));
}

void ser_info_text(const ser_info *info, FILE *file)
{
    print_text(file, "trace", strcmp(info->path, "-") == 0 ? "standard input" : info->path);
    print_text(file, "format", info->format);
    print_text(file, "atomic", info->atomic);
    fputc('\n', file);
    print_counts(file, &info->counts);
    print_number_if_any(file, "events dropped", info->dropped);
    print_operations(file, &info->counts);
    print_notes(file, info->symbols);
    if (info->partial)
        ser_print(file, "\nThis is partial: the trace was not read to its end.\n");
}
