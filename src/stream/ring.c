/* SPDX-License-Identifier: MIT */
#include "stream/ring.h"

void ser_event_ring_init(ser_event_ring *ring)
{
    ring->first = 1;
}

void ser_event_ring_fini(ser_event_ring *ring)
{
    ser_vector_free(&ring->items);
    ser_stream_state_fini(&ring->before);
    ser_stream_state_fini(&ring->after);
    ser_checkpoint_fini(&ring->start);
}

bool ser_event_ring_is_clear(const ser_event_ring *ring, uint64_t number)
{
    if (number <= ring->last)
        return ser_event_ring_at(ring, number)->is_clear;
    return ser_stream_state_is_clear(&ring->after) && !ring->is_joined;
}

uint64_t ser_event_ring_clear_point(const ser_event_ring *ring, uint64_t wanted, uint64_t most)
{
    for (uint64_t i = wanted; i >= ring->first; i--)
        if (ser_event_ring_is_clear(ring, i))
            return i;
    for (uint64_t i = wanted + 1; i <= most; i++)
        if (ser_event_ring_is_clear(ring, i))
            return i;
    return 0;
}

void ser_event_ring_add(ser_event_ring *ring, const ser_event *event)
{
    bool is_clear = ser_event_ring_is_clear(ring, ring->last + 1);
    ser_vector_push(&ring->items, ((ser_held_event){*event, is_clear}));
    ring->last++;
    ring->is_joined = event->flags & SER_EVENT_JOINED;
    ser_stream_state_take(&ring->after, event, ring->last);
}

/* The room before the head is used again once it is the larger part. */
static void move_down(ser_event_ring *ring)
{
    if (ring->head < ring->items.count / 2)
        return;
    ring->items.count -= ring->head;
    memmove(ring->items.items, ring->items.items + ring->head,
            ring->items.count * sizeof *ring->items.items);
    ring->head = 0;
}

void ser_event_ring_resume(ser_event_ring *ring, const ser_past_events *past, uint64_t next)
{
    ser_event_ring_fini(ring);
    *ring = (ser_event_ring){.first = next, .last = next - 1};
    for (size_t i = 0; i < past->count; i++) {
        ser_stream_state_take_past(&ring->before, &past->items[i]);
        ser_stream_state_take_past(&ring->after, &past->items[i]);
        ser_checkpoint_take_past(&ring->start, &past->items[i]);
    }
}

void ser_event_ring_trim(ser_event_ring *ring, uint64_t first)
{
    if (first <= ring->first)
        return;
    for (; ring->first < first && ring->first <= ring->last; ring->first++, ring->head++) {
        const ser_event *event = &ring->items.items[ring->head].event;
        ser_stream_state_take(&ring->before, event, ring->first);
        ser_checkpoint_take(&ring->start, event, ring->first);
    }
    move_down(ring);
}
