/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the latest events of a stream, and the state (state.h) before the first of them and
 * after the last.
 *
 * Memory: 32 bytes per event that is held. Not thread-safe.
 */
#ifndef SER_STREAM_RING_H
#define SER_STREAM_RING_H

#include "stream/state.h"
#include "trace/checkpoint.h"

typedef struct ser_held_event {
    ser_event event;
    bool is_clear; /* a window may begin here: the point before it is clear, and it goes on with no
                      multi-variable access */
} ser_held_event;

typedef struct ser_event_ring {
    SER_VECTOR(ser_held_event) items;
    size_t head;                    /* those before it are gone */
    uint64_t first, last;           /* numbers of the events that are held; last < first: none is */
    ser_stream_state before, after; /* them */
    ser_checkpoint start;           /* before them, for the checker of witnesses */
    bool is_joined;                 /* the last event to the next one */
} ser_event_ring;

/* Of an all-zero ring. */
void ser_event_ring_init(ser_event_ring *ring);
void ser_event_ring_fini(ser_event_ring *ring);

/* The next event of the stream. */
void ser_event_ring_add(ser_event_ring *ring, const ser_event *event);

/* The next event of the stream is that one. All before it are forgotten, but for what still matters
 * of them, in order. */
void ser_event_ring_resume(ser_event_ring *ring, const ser_past_events *past, uint64_t next);

/* Forgets events before that one. */
void ser_event_ring_trim(ser_event_ring *ring, uint64_t first);

/* An event that is held. */
static inline const ser_held_event *ser_event_ring_at(const ser_event_ring *ring, uint64_t number)
{
    return &ring->items.items[ring->head + (size_t)(number - ring->first)];
}

/* May a window begin with that event, or end with the one before it? It is held, or the next one to
 * come. */
bool ser_event_ring_is_clear(const ser_event_ring *ring, uint64_t number);

/* The latest such event that is not after `wanted`; if there is none, the earliest after it, not
 * after `most`; 0: none. */
uint64_t ser_event_ring_clear_point(const ser_event_ring *ring, uint64_t wanted, uint64_t most);

#endif
