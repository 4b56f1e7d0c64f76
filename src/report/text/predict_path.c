/* SPDX-License-Identifier: MIT */
/*
 * A violation in words. Both criteria are described in the same way, as edges between events: on a
 * path each starts where the last one ended; on a cycle of transactions it may start
 * at another event of the same transaction.
 */
#include <inttypes.h>

#include "base/output/print.h"
#include "report/predict_report.h"

enum { NAME_WIDTH = 320 };

typedef struct path_printer {
    const ser_predict_report *report;
    const ser_run *run;
    uint32_t block; /* the violated one: 1 + index */
    FILE *file;
} path_printer;

static bool writes(const ser_event *event)
{
    return ser_op_writes((ser_op)event->op);
}

/* "event 6 of the block, r(x)", "event 17 of teller2, w(x)" */
static void name_event(const path_printer *at, uint32_t number)
{
    const ser_event *event = &at->run->events[number];
    uint32_t block = at->run->block_of[number];
    char operation[NAME_WIDTH];
    ser_describe_operation(at->run->symbols, event, operation, sizeof operation);
    ser_print(at->file, "event %" PRIu64 " of ", ser_run_number(at->run, number));
    if (block == at->block)
        ser_print(at->file, "the block, %s", operation);
    else
        ser_print(at->file, "%s, %s",
                  ser_symbols_shown_name(at->run->symbols, SER_SPACE_THREAD, event->thread),
                  operation);
    if (at->report->serializability && block && block != at->block)
        ser_print(at->file, " (block %" PRIu64 ")",
                  ser_run_number(at->run, at->run->blocks.items[block - 1].begin));
}

/* Why the second event comes after the first. */
static void print_relation(const path_printer *at, uint32_t from, uint32_t to)
{
    const ser_event *first = &at->run->events[from], *second = &at->run->events[to];
    if (ser_run_step_first(at->run, from) == ser_run_step_first(at->run, to))
        ser_print(at->file, ", is one step with event %" PRIu64, ser_run_number(at->run, from));
    else if (first->thread == second->thread)
        ser_print(at->file, ", follows in the same thread");
    else
        ser_print(at->file, ", %s what event %" PRIu64 " has %s",
                  writes(second) ? "overwrites" : "reads", ser_run_number(at->run, from),
                  writes(first) ? "written" : "read");
}

static void print_edge(const path_printer *at, uint32_t from, uint32_t to, bool starts_anew)
{
    if (starts_anew) {
        ser_print(at->file, "  ");
        name_event(at, from);
        ser_print(at->file, ";\n");
    }
    ser_print(at->file, "  ");
    name_event(at, to);
    print_relation(at, from, to);
}

void ser_predict_print_path(const ser_predict_report *report, const ser_block_result *result,
                            FILE *file)
{
    path_printer at = {report, report->prediction->run, 1 + result->block, file};
    const uint32_t *path = result->facts.path.items;
    size_t step = report->serializability ? 2 : 1, count = result->facts.path.count;
    for (size_t i = 0; i + 1 < count; i += step) {
        bool starts_anew = i == 0 || (step == 2 && path[i - 1] != path[i]);
        print_edge(&at, path[i], path[i + 1], starts_anew);
        ser_print(file, i + step + 1 < count ? ";\n" : ".\n");
    }
    ser_print(file,
              report->serializability
                  ? "  So the block cannot be put in any order with the others.\n"
                  : "  So what is outside the block can come neither before it nor after it.\n");
}
