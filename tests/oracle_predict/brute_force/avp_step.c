/* SPDX-License-Identifier: MIT */
/*
 * What an event does when it happens: which reads are broken, what is written, who stops.
 */
#include "avp_world.h"

static bool is_held_as_observed(const avp_world *w, const avp_state *s, size_t number)
{
    size_t acquire = w->source[number];
    const ser_event *holder = avp_event(w, acquire);
    return avp_held_by(w, s, holder->thread, holder->object, holder->op == SER_OP_SHARED_ACQUIRE) ==
           acquire;
}

static bool reads_another(const avp_world *w, const avp_state *s, size_t number)
{
    uint32_t variable = avp_event(w, number)->object;
    size_t write = s->last_write[variable];
    if (s->dirty[variable])
        return true;
    return write != w->source[number] &&
           !(w->reads && ser_reads_accepts(w->reads, (uint32_t)number, (uint32_t)write));
}

bool avp_breaks(const avp_world *w, const avp_state *s, size_t number)
{
    const ser_event *event = avp_event(w, number);
    switch ((ser_op)event->op) {
    case SER_OP_READ:
    case SER_OP_RMW:
        return w->step[w->source[number]] != w->step[number] && reads_another(w, s, number);
    case SER_OP_TRY_FAILED:
        return !is_held_as_observed(w, s, number);
    default:
        return false;
    }
}

static bool step_breaks(const avp_world *w, const avp_state *s, size_t first)
{
    for (size_t i = first; i <= w->facts.count && w->step[i] == first; i++)
        if (avp_breaks(w, s, i))
            return true;
    return false;
}

static bool is_freed(const avp_world *w, const avp_state *s, size_t access)
{
    for (size_t i = 1; i <= w->facts.count; i++)
        if (w->frees[i] && avp_event(w, i)->object == avp_event(w, access)->object &&
            w->step[i] != w->step[access] && (i < access || avp_executed(w, s, i)))
            return true;
    return false;
}

static bool reads_doubtful(const avp_world *w, const avp_state *s, size_t access)
{
    return avp_event(w, access)->op != SER_OP_WRITE && s->doubtful[avp_event(w, access)->object];
}

/* Is it the last step of its thread, whatever it reads? */
static bool step_ends_thread(const avp_world *w, const avp_state *s, size_t first)
{
    for (size_t i = first; i <= w->facts.count && w->step[i] == first; i++)
        if (avp_is_access(w, i) && (is_freed(w, s, i) || reads_doubtful(w, s, i)))
            return true;
    return false;
}

/* A read may be a compare-exchange that failed, and succeeds now, unless it only stores. */
static bool may_exchange(const ser_event *event)
{
    return event->op == SER_OP_READ && !(event->flow & SER_FLOW_DATA);
}

static void write_now(const avp_world *w, avp_state *s, size_t number)
{
    const ser_event *event = avp_event(w, number);
    s->last_write[event->object] = (uint8_t)number;
    bool is_known = w->reads && w->reads->writes_known.items[number];
    s->dirty[event->object] = w->reads && (is_known ? s->was_changed : s->changed[event->thread]);
    s->doubtful[event->object] &= event->op == SER_OP_RMW;
}

/* The eid that a read of the step, once changed, forbids its thread; 0: none. */
static size_t limit_of(const avp_world *w, size_t read)
{
    const avp_thread *thread = &w->thread[avp_event(w, read)->thread];
    uint32_t limit = w->reads ? w->reads->rules.items[read].limit : SER_LIMIT_NEXT;
    if (limit == SER_LIMIT_NONE)
        return 0;
    if (limit == SER_LIMIT_END)
        return thread->count + 1;
    return limit == SER_LIMIT_NEXT ? 1 : w->eid[limit];
}

/* The thread has made the step, and a read of it was changed. */
static void limit_thread(const avp_world *w, avp_state *s, size_t first)
{
    size_t thread = avp_event(w, first)->thread;
    bool accesses = avp_is_access(w, first);
    for (size_t i = first; i <= w->facts.count && w->step[i] == first; i++) {
        size_t limit = accesses ? limit_of(w, i) : 1;
        if (avp_event(w, i)->op != SER_OP_WRITE && limit &&
            (!s->limit[thread] || limit < s->limit[thread]))
            s->limit[thread] = (uint8_t)limit;
    }
    s->stopped[thread] = s->limit[thread] && s->limit[thread] <= s->at[thread];
}

void avp_step(const avp_world *w, avp_state *s, size_t number)
{
    const ser_event *event = avp_event(w, number);
    if (w->step[number] == number) {
        s->breaking = step_breaks(w, s, number);
        s->ending = step_ends_thread(w, s, number);
        s->spoiled |= s->breaking;
        s->was_changed = s->changed[event->thread];
        s->changed[event->thread] |= s->breaking;
        s->failed[event->thread] =
            s->breaking && !(w->reads && w->reads->writes_anyway.items[number]);
    }
    s->at[event->thread]++;
    if (event->op == SER_OP_WRITE || (event->op == SER_OP_RMW && !s->failed[event->thread]))
        write_now(w, s, number);
    else if (event->op == SER_OP_RMW || (s->breaking && may_exchange(event)))
        s->doubtful[event->object] |= w->careful;
    s->inside = event->flags & SER_EVENT_JOINED ? (uint8_t)(event->thread + 1) : 0;
    if (s->inside)
        return;
    if (s->breaking)
        limit_thread(w, s, w->step[number]);
    s->stopped[event->thread] |= s->ending;
    s->breaking = s->ending = false;
}

/* Who fails to write stops: it was its thread's last step. */
bool avp_wrote(const avp_world *w, const avp_state *s, size_t number)
{
    const ser_event *event = avp_event(w, number);
    if (event->op != SER_OP_RMW)
        return event->op == SER_OP_WRITE;
    size_t last = w->thread[event->thread].events[s->at[event->thread] - 1];
    return !(s->failed[event->thread] && w->step[number] == w->step[last]);
}
