/* SPDX-License-Identifier: MIT */
#include "base/relay.h"

#include <signal.h>

#include "base/status.h"

void ser_relay_init(ser_relay *relay, uint32_t buffers)
{
    *relay = (ser_relay){.buffers = buffers};
    ser_check(pthread_mutex_init(&relay->lock, NULL) == 0);
    ser_check(pthread_cond_init(&relay->changed, NULL) == 0);
}

void ser_relay_fini(ser_relay *relay)
{
    ser_relay_join(relay);
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->lock);
}

/* The new thread inherits this mask. SIGPIPE of its own writes is still delivered. */
bool ser_relay_start(ser_relay *relay, void *(*run)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    relay->started = pthread_create(&relay->thread, NULL, run, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return relay->started;
}

static bool is_full(const ser_relay *relay)
{
    return relay->filled - relay->emptied == relay->buffers;
}

static bool is_empty(const ser_relay *relay)
{
    return relay->filled == relay->emptied;
}

uint32_t ser_relay_to_fill(ser_relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    while (is_full(relay) && !relay->closed)
        pthread_cond_wait(&relay->changed, &relay->lock);
    uint32_t buffer = relay->closed ? SER_RELAY_NONE : (uint32_t)(relay->filled % relay->buffers);
    pthread_mutex_unlock(&relay->lock);
    return buffer;
}

uint32_t ser_relay_to_empty(ser_relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    while (is_empty(relay) && !relay->closed)
        pthread_cond_wait(&relay->changed, &relay->lock);
    uint32_t buffer =
        is_empty(relay) ? SER_RELAY_NONE : (uint32_t)(relay->emptied % relay->buffers);
    pthread_mutex_unlock(&relay->lock);
    return buffer;
}

/* A waiting thread is woken when half of the buffers are ready for it: a wake-up for each would be
 * expensive for both. The two never wait at the same time, since a relay is not full and empty at
 * once. */
static void advance(ser_relay *relay, uint64_t *count, uint32_t half)
{
    pthread_mutex_lock(&relay->lock);
    ++*count;
    if (relay->filled - relay->emptied == half)
        pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
}

void ser_relay_filled(ser_relay *relay)
{
    advance(relay, &relay->filled, (relay->buffers + 1) / 2);
}

void ser_relay_emptied(ser_relay *relay)
{
    advance(relay, &relay->emptied, relay->buffers / 2);
}

void ser_relay_close(ser_relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    relay->closed = true;
    pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
}

void ser_relay_join(ser_relay *relay)
{
    ser_relay_close(relay);
    if (relay->started)
        pthread_join(relay->thread, NULL);
    relay->started = false;
}
