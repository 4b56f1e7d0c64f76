/* SPDX-License-Identifier: MIT */
#include "bugs/block_lines.h"

#include "bugs/own_code.h"

static uint32_t line_of(const char *location)
{
    const char *colon = strchr(location, ':');
    return colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
}

/* The innermost call that makes all the block's accesses; 0: none. */
static uint32_t find_call(const ser_bug *bug, const ser_run *run)
{
    uint32_t first = 0, last = 0;
    for (size_t i = 0; i < bug->accesses.count; i++) {
        if (!bug->accesses.items[i].in_block)
            continue;
        first = first ? first : bug->accesses.items[i].event;
        last = bug->accesses.items[i].event;
    }
    return first ? ser_common_call(run, first, last) : 0;
}

uint32_t ser_bug_find_lines(ser_bug *bug, const ser_run *run)
{
    uint32_t call = find_call(bug, run);
    for (size_t i = 0; call && i < bug->accesses.count; i++) {
        ser_bug_access *access = &bug->accesses.items[i];
        uint32_t way = access->in_block ? ser_call_towards(run, call, access->event) : 0;
        uint32_t site = way ? ser_run_called_at(run, way) : run->events[access->event].site;
        if (access->in_block &&
            ser_symbols_site_function(run->symbols, site) == run->events[call].object)
            access->line = line_of(ser_symbols_location(run->symbols, site));
    }
    return call;
}
