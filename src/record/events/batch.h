/* SPDX-License-Identifier: MIT */
/*
 * batch.h - inside of events.h: events on their way to the writer.
 *
 * Events are made where the writer wants them, in maker->batch, and given to it when that is full
 * and another one comes. So the last one can still be changed. Numbers of the recording (thread,
 * site, function) are translated to numbers of the trace here.
 */
#ifndef SER_RECORD_EVENTS_BATCH_H
#define SER_RECORD_EVENTS_BATCH_H

#include "record/events/events.h"

/* There is room for one event or more afterwards. Events that were pushed before are no longer
 * valid. */
void ser_batch_write(ser_event_maker *maker);

/* Asks the writer for room. */
void ser_batch_open(ser_event_maker *maker);

/* What `known` has at a number. */
static inline uint32_t ser_batch_look_up(const ser_label_numbers *known, uint64_t number)
{
    return number < known->count ? known->items[number] : 0;
}

static inline uint32_t ser_batch_thread(ser_event_maker *maker, uint16_t thread)
{
    uint32_t known = ser_batch_look_up(&maker->known->threads, thread);
    return known ? known - 1 : ser_labels_thread(maker->labels, thread);
}

static inline uint32_t ser_batch_site(ser_event_maker *maker, uint32_t site)
{
    uint32_t known = ser_batch_look_up(&maker->known->sites, site);
    if (known)
        return known - 1;
    return site == 0 ? SER_NO_SITE : ser_labels_site(maker->labels, site);
}

static inline uint32_t ser_batch_function(ser_event_maker *maker, uint64_t site)
{
    uint32_t known = ser_batch_look_up(&maker->known->functions, site);
    return known ? known - 1 : ser_labels_function(maker->labels, site);
}

/* The event is valid until the next one. It is filled where it stands, word by word: a copy of
 * what has just been written in smaller pieces would stall on store forwarding. */
static inline ser_event *ser_batch_push(ser_event_maker *maker, const ser_record *record, ser_op op,
                                        uint32_t object)
{
    if (maker->next == maker->end)
        ser_batch_write(maker);
    ser_event *event = maker->next++;
    event->thread = ser_batch_thread(maker, record->thread);
    event->object = object;
    event->site = ser_batch_site(maker, record->site);
    event->op = (uint8_t)op;
    event->flags = 0;
    event->flow = 0;
    event->value = 0;
    return event;
}

#endif
