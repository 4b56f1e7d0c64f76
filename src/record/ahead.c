/* SPDX-License-Identifier: MIT */
/*
 * Two slots: while the user works on one, the thread fills the other. `filled` and
 * `released` count slots; they and `quit` belong to the lock, a slot to whoever has it by
 * their numbers. Where no thread can be had, the user fills the slot himself.
 */
#include "record/ahead.h"

#include <pthread.h>
#include <signal.h>

#include "base/memory.h"

enum { SLOTS = 2 };

typedef struct block_slot {
    size_t count;
    ser_status status;
    ser_error error;
    ser_record records[SER_SPOOL_BLOCK];
} block_slot;

struct ser_ahead {
    ser_spool_reader *reader;
    pthread_t thread;
    bool has_thread, holds_slot, quit;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t filled, released;
    block_slot slots[SLOTS];
};

static void fill(ser_ahead *ahead, block_slot *slot)
{
    slot->status = ser_spool_next(ahead->reader, slot->records, &slot->count, &slot->error);
}

/* The slot to fill next; NULL: nobody wants more. */
static block_slot *await_free_slot(ser_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (!ahead->quit && ahead->filled - ahead->released == SLOTS)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    block_slot *slot = ahead->quit ? NULL : &ahead->slots[ahead->filled % SLOTS];
    pthread_mutex_unlock(&ahead->lock);
    return slot;
}

static void *read_ahead(void *context)
{
    ser_ahead *ahead = context;
    block_slot *slot;
    while ((slot = await_free_slot(ahead)) != NULL) {
        fill(ahead, slot);
        bool last = slot->count == 0;
        pthread_mutex_lock(&ahead->lock);
        ahead->filled++;
        pthread_cond_signal(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
        if (last)
            break;
    }
    return NULL;
}

/* Signals are for the thread that knows what to do with them. */
static void start_thread(ser_ahead *ahead)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ahead->has_thread = pthread_create(&ahead->thread, NULL, read_ahead, ahead) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

ser_status ser_ahead_open(ser_ahead **result, const char *path, ser_error *error)
{
    ser_spool_reader *reader;
    *result = NULL;
    ser_status status = ser_spool_open(&reader, path, error);
    if (status != SER_OK)
        return status;
    ser_ahead *ahead = ser_alloc(1, sizeof *ahead);
    ahead->reader = reader;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    start_thread(ahead);
    *result = ahead;
    return SER_OK;
}

/* Gives the last slot back, and waits for the next. */
static block_slot *await_full_slot(ser_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    if (ahead->holds_slot) {
        ahead->released++;
        pthread_cond_signal(&ahead->changed);
    }
    ahead->holds_slot = true;
    while (ahead->filled == ahead->released)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    block_slot *slot = &ahead->slots[ahead->released % SLOTS];
    pthread_mutex_unlock(&ahead->lock);
    return slot;
}

ser_status ser_ahead_next(ser_ahead *ahead, const ser_record **records, size_t *count,
                          ser_error *error)
{
    block_slot *slot = &ahead->slots[0];
    if (ahead->has_thread)
        slot = await_full_slot(ahead);
    else
        fill(ahead, slot);
    *records = slot->records;
    *count = slot->count;
    if (slot->status != SER_OK && error)
        *error = slot->error;
    return slot->status;
}

bool ser_ahead_is_cut(const ser_ahead *ahead)
{
    return ser_spool_is_cut(ahead->reader);
}

static void stop_thread(ser_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->quit = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
}

void ser_ahead_close(ser_ahead *ahead)
{
    if (!ahead)
        return;
    if (ahead->has_thread)
        stop_thread(ahead);
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->changed);
    ser_spool_reader_close(ahead->reader);
    free(ahead);
}
