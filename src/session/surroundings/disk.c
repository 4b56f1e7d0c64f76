/* SPDX-License-Identifier: MIT */
#include "session/surroundings/disk.h"

#include <unistd.h>

#include "session/surroundings/tree.h"

static bool is_in(const ser_bugs *bugs, size_t trace)
{
    for (size_t i = 0; i < bugs->list.count; i++)
        if (bugs->list.items[i].trace == trace)
            return true;
    return false;
}

static bool is_needed(const ser_run_report *report, size_t trace)
{
    for (size_t i = 0; i < report->failures.count; i++)
        if (report->failures.items[i].trace == trace)
            return true;
    return trace == 0 || trace + 1 == report->traces.count || report->traces.items[trace].overran ||
           is_in(&report->bugs, trace) || is_in(&report->minor, trace);
}

bool ser_disk_make_room(const char *folder, uint64_t limit, ser_run_report *report)
{
    for (size_t i = 0; i < report->traces.count; i++) {
        ser_run_trace *trace = &report->traces.items[i];
        if (trace->removed || is_needed(report, i))
            continue;
        if (ser_tree_bytes(folder) <= limit)
            return true;
        trace->removed = unlink(trace->path) == 0;
    }
    return ser_tree_bytes(folder) <= limit;
}
