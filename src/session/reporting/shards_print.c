/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/describe.h"
#include "session/reporting/shards.h"

/* " (transfer, bank.c:31)" */
static void print_place(const ser_json_node *block, FILE *file)
{
    const char *name = ser_json_text_in(block, "label");
    const char *location = ser_json_text_in(block, "location");
    name = name ? name : ser_json_text_in(block, "function");
    if (name || location)
        ser_print(file, " (%s%s%s)", name ? name : "", name && location ? ", " : "",
                  location ? location : "");
}

static void print_violation(const ser_json_node *block, FILE *file)
{
    const char *thread = ser_json_text_in(block, "thread");
    ser_print(file, "block %" PRIu64 " of thread %s", ser_json_number_in(block, "begin"),
              thread ? thread : "");
    print_place(block, file);
    ser_print(file, " is not atomic\n");
}

static void print_violations(const ser_shards *shards, FILE *file)
{
    for (size_t i = 0; i < shards->blocks.count; i++) {
        const char *verdict = ser_json_text_in(shards->blocks.items[i], "verdict");
        if (verdict && strcmp(verdict, ser_verdict_name(SER_VERDICT_VIOLATION)) == 0)
            print_violation(shards->blocks.items[i], file);
    }
}

static void print_missing(const ser_shards *shards, FILE *file)
{
    for (size_t i = 0; i < shards->parts.count; i++)
        if (!shards->parts.items[i])
            ser_print(file, "Missing: shard %zu/%zu\n", i + 1, shards->parts.count);
}

static void print_verdict(const ser_shards *shards, FILE *file)
{
    uint64_t violated = shards->verdicts[SER_VERDICT_VIOLATION];
    uint64_t unknown = shards->verdicts[SER_VERDICT_UNKNOWN];
    ser_status verdict = ser_shards_verdict(shards);
    if (verdict == SER_OK) {
        ser_print(file, "no violation: no interleaving of this run violates a block\n");
        return;
    }
    if (verdict == SER_VIOLATION)
        ser_print(file, "violation: %" PRIu64 " of %zu block%s can be violated", violated,
                  shards->blocks.count, shards->blocks.count == 1 ? "" : "s");
    else
        ser_print(file, "undecided: no violation found");
    if (unknown)
        ser_print(file, ", %" PRIu64 " undecided", unknown);
    if (shards->missing)
        ser_print(file, ", %zu of %zu shards missing", shards->missing, shards->parts.count);
    if (shards->splits.open)
        ser_print(file, ", parts of %zu block%s missing", shards->splits.open,
                  shards->splits.open == 1 ? "" : "s");
    fputc('\n', file);
}

void ser_shards_print(const ser_shards *shards, FILE *file)
{
    const ser_json_node *trace = ser_json_member(shards->any, "trace");
    const char *path = ser_json_text_in(trace, "path");
    const ser_trace_size size = {
        .events = ser_json_number_in(trace, "events"),
        .threads = ser_json_number_in(trace, "threads"),
        .locks = ser_json_number_in(trace, "locks"),
        .variables = ser_json_number_in(trace, "variables"),
        .blocks = ser_json_number_in(trace, "blocks"),
    };
    ser_describe_trace(file, path ? path : "-", &size);
    print_violations(shards, file);
    print_missing(shards, file);
    print_verdict(shards, file);
}
