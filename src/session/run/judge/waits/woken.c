/* SPDX-License-Identifier: MIT */
/*
 * For each wait: what the thread had read last, whether it looks there again when it goes on, and
 * what the others have made of it meanwhile (ser_find_woken).
 */
#include "session/run/judge/waits/woken.h"

#include <string.h>

#include "symbolic/guards.h"

/* The last access before a wait, in the section that the wait gives up; 0: it is no read. */
static uint32_t find_question(const ser_run *run, uint32_t wait)
{
    uint32_t at = ser_run_previous(run, wait);
    while (at && !ser_op_is_access((ser_op)run->events[at].op) &&
           !ser_op_acquires((ser_op)run->events[at].op))
        at = ser_run_previous(run, at);
    const ser_event *read = &run->events[at];
    bool is_question = at && ser_op_only_reads((ser_op)read->op) &&
                       read->flags & SER_EVENT_HAS_VALUE && !(read->flow & SER_FLOW_DATA) &&
                       (read->flow & (SER_FLOW_BLIND | SER_FLOW_HANDED)) != SER_FLOW_BLIND;
    return is_question ? at : 0;
}

/* --- would it wait again? ------------------------------------------------------ */

static bool find_guards(const ser_run *run, const ser_event *read, ser_guards *guards)
{
    uint32_t number = ser_event_guards(read);
    unsigned ignored;
    const char *text = number ? ser_symbols_guards(run->symbols, number) : "";
    text = ser_guards_skip_delay(text, &ignored);
    return *text && ser_guards_parse(guards, text, strlen(text)) && guards->count > 0;
}

/* Guards that cannot be had: only the same value is sure to lead the same way. */
static bool leads_back(const ser_guards *guards, uint64_t asked, uint64_t value)
{
    uint64_t then[SER_MOST_GUARDS], now[SER_MOST_GUARDS];
    if (asked == value)
        return true;
    return ser_guards_evaluate(guards, asked, then) && ser_guards_evaluate(guards, value, now) &&
           memcmp(then, now, guards->count * sizeof *then) == 0;
}

/* Writes of others between the wait and where its thread goes on: the last one takes away what an
 * earlier one has granted. */
static bool is_taken_away(const ser_run *run, uint32_t wait, uint32_t until, ser_woken *found)
{
    const ser_event *asked = &run->events[found->asked];
    ser_guards guards = {0};
    find_guards(run, asked, &guards);
    found->granted = found->taken = 0;
    for (uint32_t i = wait + 1; i < until; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || !ser_op_writes((ser_op)event->op) ||
            event->object != asked->object)
            continue;
        bool is_other = event->thread != asked->thread && event->flags & SER_EVENT_HAS_VALUE;
        bool is_so = is_other && leads_back(&guards, asked->value, event->value);
        if (is_other && !is_so && !found->granted)
            found->granted = i;
        found->taken = is_so && found->granted ? i : 0;
    }
    ser_guards_fini(&guards);
    return found->taken != 0;
}

/* --- does it look again? ------------------------------------------------------- */

/* A read on which something depends: that is a look. */
static bool is_look(const ser_event *access)
{
    return ser_op_reads((ser_op)access->op) && !(access->flow & (SER_FLOW_DATA | SER_FLOW_BLIND));
}

/* What the thread writes there first, in the section in which it goes on; 0: nothing, or it looks
 * again. */
static uint32_t find_act(const ser_run *run, uint32_t acquire, uint32_t variable)
{
    uint32_t end = run->match[acquire] ? run->match[acquire] : UINT32_MAX;
    for (uint32_t i = ser_run_next(run, acquire); i && i < end; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (ser_op_waits((ser_op)event->op))
            return 0;
        if (!ser_op_is_access((ser_op)event->op) || event->object != variable)
            continue;
        if (is_look(event))
            return 0;
        if (ser_op_writes((ser_op)event->op))
            return i;
    }
    return 0;
}

/* The lock is taken back before anything else happens. */
static uint32_t find_return(const ser_run *run, uint32_t wait)
{
    uint32_t next = ser_run_next(run, wait);
    return next && ser_op_excludes((ser_op)run->events[next].op) ? next : 0;
}

void ser_find_woken(const ser_run *run, ser_woken_list *found)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        if (!ser_op_waits((ser_op)run->events[i].op) || !run->couple[i])
            continue;
        uint32_t again = find_return(run, i);
        ser_woken woken = {.asked = again ? find_question(run, i) : 0};
        if (!woken.asked)
            continue;
        woken.act = find_act(run, again, run->events[woken.asked].object);
        if (woken.act && is_taken_away(run, i, again, &woken))
            ser_vector_push(found, woken);
    }
}
