/* SPDX-License-Identifier: MIT */
#include "session/run/judge/turns.h"

static bool is_write_of_other(const ser_run *run, uint32_t event, uint32_t than)
{
    const ser_event *made = &run->events[event];
    return made->object == run->events[than].object && made->thread != run->events[than].thread &&
           ser_op_is_access((ser_op)made->op) && ser_op_writes((ser_op)made->op);
}

/* What the violation shows of others happens after its first event, and before its last one. */
static bool is_shown_between(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                             uint32_t write)
{
    if (shown->count < 3 || shown->events[0] >= write || shown->events[shown->count - 1] <= read)
        return false;
    for (size_t i = 0; i < shown->count; i++)
        if (is_write_of_other(run, shown->events[i], read))
            return true;
    return false;
}

static bool came_between(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                         uint32_t write)
{
    if (is_shown_between(run, shown, read, write))
        return true;
    for (uint32_t i = read + 1; i < write; i++)
        if (is_write_of_other(run, i, read))
            return true;
    return false;
}

bool ser_may_have_turns(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                        uint32_t write)
{
    return run->events[read].flow & run->events[write].flow & SER_FLOW_ATOMIC &&
           !came_between(run, shown, read, write);
}
