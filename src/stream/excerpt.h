/* SPDX-License-Identifier: MIT */
/*
 * excerpt.h - a window of a stream as a run of its own, which prediction takes like a whole one.
 *
 * The window [first, last] stands for the interleavings that execute everything before `first` as
 * observed and then only events of the window. What the past still does is put in front of it, as
 * events that are in no trace: locks that are held are acquired, semaphores are filled, threads
 * arrive at barriers that they have not left, and then all threads meet at another barrier, so that
 * nothing of the window comes before it. A read of an earlier write reads the initial value.
 * Threads that wait at `first` begin with their wait: it may come later than it did, which is an
 * interleaving of the trace as well. Where it is none, since the wait comes before an ordered-last
 * access before the window, or ends another wait, it comes before the window: an ordered-last
 * access follows it, by a thread that is in no trace, and the other threads meet again after that.
 *
 * So an interleaving of the excerpt, behind the observed events before `first` (but for the waits
 * that it has itself), is one of the trace. Accesses that cannot matter within the window
 * (order/users.h) are spared. Both ends must be clear points (ring.h), and no event of the window
 * may use what was freed before it.
 *
 * Objects are numbered anew, so that the run is as small as the window.
 */
#ifndef SER_STREAM_EXCERPT_H
#define SER_STREAM_EXCERPT_H

#include "order/sieve.h"
#include "stream/ring.h"

typedef struct ser_excerpt {
    ser_run *run;
    ser_numbering numbering; /* 0: an event that is in no trace */
    uint64_t first, last;
    ser_pending_list waits; /* from before `first`, pending there, that may come later */
} ser_excerpt;

/* What one excerpt after the other can use: numbers of objects. */
typedef struct ser_renumbering ser_renumbering;

ser_renumbering *ser_renumbering_create(void);
void ser_renumbering_destroy(ser_renumbering *renumbering);

/* All events of the window are held by the ring. To be finished. */
void ser_excerpt_make(ser_excerpt *excerpt, const ser_event_ring *ring, uint64_t first,
                      uint64_t last, ser_renumbering *renumbering);
void ser_excerpt_fini(ser_excerpt *excerpt);

/* Gives events and blocks of the run the threads and objects that they have in the trace, for
 * reports: prediction is done, and the renumbering is still that of this excerpt. The order of a
 * witness is left with events of the trace alone; how many context switches it has is returned. */
void ser_excerpt_restore(ser_excerpt *excerpt, const ser_event_ring *ring,
                         const ser_renumbering *renumbering);
uint32_t ser_excerpt_strip(const ser_excerpt *excerpt, ser_event_list *order);

#endif
