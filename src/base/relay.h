/* SPDX-License-Identifier: MIT */
/*
 * relay.h - buffers that circulate between two threads: one fills them, the other empties them.
 *
 * The buffers belong to the caller, who numbers them from 0; the relay says which thread may use
 * which buffer. They are emptied in the order in which they were filled. The faster thread waits.
 * Whatever one thread wrote before it passed a buffer on is visible to the other.
 *
 *     filler:  while ((at = ser_relay_to_fill(relay)) != SER_RELAY_NONE)
 *                  { fill(&buffers[at]); ser_relay_filled(relay); }
 *              ser_relay_close(relay);
 *     emptier: while ((at = ser_relay_to_empty(relay)) != SER_RELAY_NONE)
 *                  { empty(&buffers[at]); ser_relay_emptied(relay); }
 *
 * One thread is the caller, the other is started here with signals blocked, so that the main thread
 * gets them. Cost: a lock per step, so buffers should hold some thousand items.
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

/* Starts the other thread. False if the system has no more threads: then the caller must do all the
 * work itself. */
bool ser_relay_start(ser_relay *relay, void *(*run)(void *context), void *context);

/* Waits for an empty buffer. SER_RELAY_NONE: the relay was closed. */
uint32_t ser_relay_to_fill(ser_relay *relay);
void ser_relay_filled(ser_relay *relay);

/* Waits for a full buffer, perhaps until there are several. SER_RELAY_NONE: the relay was closed,
 * and all are empty. */
uint32_t ser_relay_to_empty(ser_relay *relay);
void ser_relay_emptied(ser_relay *relay);

/* No more buffers will be filled (which the filler must always say), or emptied. */
void ser_relay_close(ser_relay *relay);

/* Closes, and waits for the thread to end, if one was started. A second call does nothing. */
void ser_relay_join(ser_relay *relay);

#endif
