/* SPDX-License-Identifier: MIT */
/*
 * elisions.h - inside of events.h: operations that are not in the trace.
 *
 * Operations are elided by the runtime, if only one thread uses the memory at the time (its records
 * say how many operations it elided, and where), and with maker->shared by the recorder, if only
 * one thread uses the memory in the whole run. Replays count a thread's operations, so that the
 * trace must say how many are missing, and where:
 *   - elided operations are counted by thread, and the count is written with the thread's next
 *     event: as the value of a call or return, or in a skip event before any other event;
 *   - with maker->shared, a call is held back until something in it has an event. If it returns
 *     before that, both are elided; else it is written first, with the counts around it.
 *
 * An access may have to come after elided operations of another thread whose count is still to come
 * in that thread's records. Then they are counted at once, before the access, by a skip event and
 * an *anchor*: an event of that thread which stands for them. From there on the thread's records
 * lag behind its events (ser_elisions.ahead): elided operations are not counted again until the
 * records have caught up. The access itself is marked as ordered last (SER_EVENT_LATE).
 *
 * Of all functions `thread` is the number that records have. Cost: O(1), but for calls that were
 * held back.
 */
#ifndef SER_RECORD_EVENTS_ELISIONS_H
#define SER_RECORD_EVENTS_ELISIONS_H

#include "record/events/batch.h"

/* The next `operations` operations of the thread have no events. */
void ser_elisions_add(ser_event_maker *maker, uint16_t thread, uint64_t operations);

/* A record of a call or return: its event, unless it is elided. */
void ser_elisions_add_call(ser_event_maker *maker, const ser_record *record);

/* A record SER_RAW_AFTER. */
void ser_elisions_add_order(ser_event_maker *maker, const ser_record *record);

/* The slow path of ser_elisions_write. */
void ser_elisions_write_all(ser_event_maker *maker, uint16_t thread);

/* Before an event of the thread: writes the open calls that were held back, and the count of
 * elided operations. Usually there is nothing to write. */
static inline void ser_elisions_write(ser_event_maker *maker, uint16_t thread)
{
    const ser_elisions *elided = &maker->elided[thread];
    if (elided->operations > 0 || elided->calls.count > 0)
        ser_elisions_write_all(maker, thread);
}

/* Of the first event of every operation. */
static inline void ser_elisions_count(ser_event_maker *maker, uint16_t thread, ser_event *event)
{
    ser_elisions *elided = &maker->elided[thread];
    if (elided->ahead > 0) { /* it was counted by a skip event */
        elided->ahead--;
        event->flags |= SER_EVENT_CONTINUES;
    } else {
        elided->made++;
    }
}

/* Must the thread's next access be ordered last? */
static inline bool ser_elisions_is_late(const ser_event_maker *maker, uint16_t thread)
{
    return maker->elided[thread].late;
}

#endif
