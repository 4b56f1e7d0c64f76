/* SPDX-License-Identifier: MIT */
#include "session/run/analysis/woken_finding.h"

static ser_moment moment_of(const ser_run *run, uint32_t event)
{
    uint32_t block = run->block_of[event];
    return (ser_moment){
        .number = event, .event = run->events[event], .block = block ? block - 1 : SER_NO_BLOCK};
}

static void add_step(ser_finding *finding, const ser_run *run, uint32_t from, uint32_t to)
{
    const ser_step step = {.from = moment_of(run, from),
                           .to = moment_of(run, to),
                           .by = SER_EDGE_VARIABLE,
                           .object = run->events[from].object};
    ser_vector_push(&finding->steps, step);
}

bool ser_make_woken_finding(const ser_run *run, const ser_woken *woken, ser_finding *finding)
{
    uint32_t block = run->block_of[woken->asked];
    if (!block)
        return false;
    *finding = (ser_finding){.event = moment_of(run, woken->act),
                             .thread = run->events[woken->asked].thread,
                             .begin = run->blocks.items[block - 1].begin,
                             .block = block - 1};
    add_step(finding, run, woken->asked, woken->granted);
    add_step(finding, run, woken->granted, woken->taken);
    add_step(finding, run, woken->taken, woken->act);
    return true;
}
