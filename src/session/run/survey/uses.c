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

/* Which threads run: the first one, and those that were created and not joined. One that nobody has
 * created may have run all the time. */
typedef struct running {
    uint64_t others;
    SER_VECTOR(bool) created; /* by thread */
} running;

static void see_threads(running *now, const ser_run *run, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool *created = ser_vector_slot(&now->created, event->thread);
    if (!*created && event->thread != run->events[1].thread) {
        *created = true;
        now->others++;
    }
    if (ser_op_forks(op)) {
        *ser_vector_slot(&now->created, event->object) = true;
        now->others++;
    } else if (ser_op_joins(op)) {
        now->others -= now->others > 0;
    }
}

void ser_uses_find(ser_uses *uses, const ser_run *run)
{
    running now = {0};
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_takes_part((ser_op)event->op))
            see_threads(&now, run, event);
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        ser_use *use = ser_vector_slot(uses, event->object);
        if (now.others == 0)
            continue;
        add_thread(&use->users, event->thread);
        if (ser_op_writes((ser_op)event->op))
            add_thread(&use->writers, event->thread);
    }
    ser_vector_free(&now.created);
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
