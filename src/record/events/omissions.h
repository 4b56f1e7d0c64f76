/* SPDX-License-Identifier: MIT */
/*
 * omissions.h - inside of events.h: operations that are not in the trace.
 *
 * Two leave out: the runtime, of what only one thread has to do with at the time (its records
 * say how many operations it left out, and where), and with maker->shared the recorder, of what
 * only one thread has to do with in the whole run. Replays count a thread's operations, so that
 * the trace must tell how many are missing, and where:
 *   - what is left out is added up by thread, and told with the thread's next event: by the
 *     value of a call or return, by a skip event before others;
 *   - with maker->shared, a call is held back until something in it has an event. If it returns
 *     before, both are left out; else it is told first, with all that was left out around it.
 *
 * An access may have to stay behind operations of another thread that were left out and that
 * this one's own records have not told of yet. Then they are told at once, before it, by a skip
 * event and an *anchor*: an event of that thread which stands for them. The thread's records then
 * lag behind its events (ser_left_out.ahead) and what they tell until they have caught up is
 * known already. The access itself is marked as late (SER_EVENT_LATE).
 *
 * Of all functions `thread` is the number that records have. Cost: O(1), but for calls that were
 * held back.
 */
#ifndef SER_RECORD_EVENTS_OMISSIONS_H
#define SER_RECORD_EVENTS_OMISSIONS_H

#include "record/events/batch.h"

/* So many operations that the thread makes next have no events. */
void ser_omissions_add(ser_event_maker *maker, uint16_t thread, uint64_t operations);

/* A record of a call or return: its event, unless it is left out. */
void ser_omissions_add_call(ser_event_maker *maker, const ser_record *record);

/* A record SER_RAW_AFTER. */
void ser_omissions_add_order(ser_event_maker *maker, const ser_record *record);

/* The slow way of ser_omissions_tell. */
void ser_omissions_tell_all(ser_event_maker *maker, uint16_t thread);

/* Before an event of the thread: the calls it is in that were held back, and how much was
 * left out. Mostly nothing. */
static inline void ser_omissions_tell(ser_event_maker *maker, uint16_t thread)
{
    const ser_left_out *left_out = &maker->left_out[thread];
    if (left_out->operations > 0 || left_out->calls.count > 0)
        ser_omissions_tell_all(maker, thread);
}

/* Of the first event of every operation. */
static inline void ser_omissions_count(ser_event_maker *maker, uint16_t thread, ser_event *event)
{
    ser_left_out *left_out = &maker->left_out[thread];
    if (left_out->ahead > 0) { /* it was counted by a skip event */
        left_out->ahead--;
        event->flags |= SER_EVENT_CONTINUES;
    } else {
        left_out->made++;
    }
}

/* The thread's next access has to stay behind all that the trace has. */
static inline bool ser_omissions_is_late(const ser_event_maker *maker, uint16_t thread)
{
    return maker->left_out[thread].late;
}

#endif
