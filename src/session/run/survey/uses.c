/* SPDX-License-Identifier: MIT */
#include "session/run/survey/uses.h"

/* Threads that do something to a variable: none, one (its number + ONE), or several. */
enum { NONE = 0, SEVERAL = 1, ONE = 2 };

static void add_thread(uint64_t *threads, uint32_t thread)
{
    uint64_t self = (uint64_t)thread + ONE;
    if (*threads == NONE)
        *threads = self;
    else if (*threads != self)
        *threads = SEVERAL;
}

static bool has_other(uint64_t threads, uint32_t thread)
{
    return threads != NONE && threads != (uint64_t)thread + ONE;
}

/* The last event before another thread is created: until then nothing conflicts. */
static uint32_t find_last_alone(const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count && run->events[i].thread == run->events[1].thread; i++)
        if (ser_op_forks((ser_op)run->events[i].op))
            return i;
    return 0;
}

/* The first event after all other threads were joined; UINT32_MAX: some are not. A thread that is
 * joined has joined others before, so that the last join comes after everything else. */
static uint32_t find_alone_again(const ser_run *run)
{
    uint32_t joins = 0, last = 0;
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_joins((ser_op)run->events[i].op)) {
            joins++;
            last = i;
        }
    return joins + 1 == run->threads.count ? last + 1 : UINT32_MAX;
}

void ser_uses_find(ser_uses *uses, const ser_run *run)
{
    uint32_t alone = find_last_alone(run), again = find_alone_again(run);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        ser_use *use = ser_vector_slot(uses, event->object);
        if (i < alone || i >= again)
            continue;
        add_thread(&use->users, event->thread);
        if (ser_op_writes((ser_op)event->op))
            add_thread(&use->writers, event->thread);
    }
}

bool ser_uses_conflict(const ser_uses *uses, const ser_event *event)
{
    if (!ser_op_is_access((ser_op)event->op))
        return false;
    const ser_use *use = &uses->items[event->object];
    return has_other(ser_op_writes((ser_op)event->op) ? use->users : use->writers, event->thread);
}

bool ser_uses_others_write(const ser_uses *uses, const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) &&
           has_other(uses->items[event->object].writers, event->thread);
}
