/* SPDX-License-Identifier: MIT */
/*
 * relay.h - buffers that go round between two threads: one fills them, the other empties them.
 *
 * The buffers are the users', who number them from 0; the relay says whose turn it is with
 * which. They are emptied in the order in which they were filled, and there are never more
 * than there are: who is too fast waits. Whatever one thread did before it gave a buffer away
 * the other sees.
 *
 *     filler:  while ((at = ser_relay_to_fill(relay)) != SER_RELAY_NONE)
 *                  { fill(&buffers[at]); ser_relay_filled(relay); }
 *              ser_relay_close(relay);
 *     emptier: while ((at = ser_relay_to_empty(relay)) != SER_RELAY_NONE)
 *                  { empty(&buffers[at]); ser_relay_emptied(relay); }
 *
 * One thread is the caller's, the other is started here: it gets no signals, so that those
 * come to who waits for them. Cost: a lock for each step, which wants buffers of some
 * thousand things.
 */
#ifndef SER_BASE_RELAY_H
#define SER_BASE_RELAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define SER_RELAY_NONE UINT32_MAX

typedef struct ser_relay {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t buffers;
    uint64_t filled, emptied; /* so often */
    bool closed;
    bool started;
    pthread_t thread;
} ser_relay;

void ser_relay_init(ser_relay *relay, uint32_t buffers);

/* Closes, waits for the thread to end, and frees. */
void ser_relay_fini(ser_relay *relay);

/* Starts the other thread. False if the system has none to give: then the caller must do all
 * the work himself. */
bool ser_relay_start(ser_relay *relay, void *(*run)(void *context), void *context);

/* Waits for an empty buffer. SER_RELAY_NONE: the relay was closed. */
uint32_t ser_relay_to_fill(ser_relay *relay);
void ser_relay_filled(ser_relay *relay);

/* Waits for a full buffer, perhaps until there are several. SER_RELAY_NONE: the relay was closed,
 * and all are empty. */
uint32_t ser_relay_to_empty(ser_relay *relay);
void ser_relay_emptied(ser_relay *relay);

/* The filler has no more, which he must say; or the emptier wants none. */
void ser_relay_close(ser_relay *relay);

/* Closes, and waits for the thread to end, if one was started; again: nothing. */
void ser_relay_join(ser_relay *relay);

#endif
