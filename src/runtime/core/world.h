/* SPDX-License-Identifier: MIT */
/*
 * world.h - the process: its channel, its threads, and whose turn it is.
 */
#ifndef SER_RUNTIME_CORE_WORLD_H
#define SER_RUNTIME_CORE_WORLD_H

#include "contract/options.h"
#include "runtime/core/thread.h"

typedef struct ser_runtime_world {
    ser_channel *channel; /* null: not recording in this process */
    bool parallel;
    bool recording;            /* false once recording has stopped; threads go on taking turns */
    bool thread_limit_reached; /* a thread could not be recorded: the recording ends at a record
                                  that says so */
    bool ended;
    bool can_steal;    /* the kernel has the barrier that stealing needs */
    bool foreign_heap; /* malloc is not ours (heap.c): allocations of the C library may then run
                          instrumented code, which takes locks and ends turns. So the runtime calls
                          nothing that allocates while inside (thread.c), nor before a thread is
                          known (stack.c) */
    int32_t process;
    ser_runtime_options options;

    _Alignas(64) ser_lock lock;
    ser_thread *holder; /* of the token; null: all wait or are outside */
    ser_thread *first, *last;
    ser_thread *urgent; /* of the queue, the next in any case; null: as the scheduler decides */
    uint32_t ready;     /* how many are in the queue */
    uint32_t waiting;   /* how many wait for something that only another thread can do */
    uint32_t living;
    uint64_t turn_end; /* position at which the turn ends: records, and what was elided */
    uint64_t hide_end; /* the holder's stamp at which it ends if all is elided */
    uint64_t elided;   /* serial mode: weight of elided operations of all threads, up to their last
                            turns */
    uint64_t operations; /* parallel mode: made by all threads, at least */
    uint64_t turn;       /* counts hand-overs */
    ser_thread *ending;  /* serial mode: ended last, and may still give memory back */
    ser_ring *ring;      /* serial mode: the one ring; a private one after recording stopped */
    uint64_t wake_at;    /* head at which the recorder is woken next */
    uint64_t aside; /* serial mode: records of inputs: a thread that only reads the clock makes no
                       progress */
    uint32_t thread_count;
    ser_thread *threads[SER_THREADS];

    _Alignas(64) ser_lock objects; /* parallel mode: over every operation but accesses */
    uint64_t clock;                /* parallel mode: of the last of these operations */
    uint64_t retired;              /* parallel mode: of the last end of a large block */
} ser_runtime_world;

extern ser_runtime_world ser_the_world;
extern bool ser_is_off;    /* it is certain that this process does not record */
extern bool ser_is_paused; /* plain accesses are not recorded for now (turns/pause.c) */
/* Both also ignore everything, so that what is only noted of known threads needs no other check. */
extern ser_thread
    ser_nobody; /* not known yet; always inside, so that it is looked up on the slow path */
extern ser_thread ser_stranger; /* always inside: the runtime's own, and threads that have ended */
extern __thread ser_thread *ser_self __attribute__((tls_model("initial-exec")));

/* options.c */
/* Reads a text like seed=3:scheduler=pct over the defaults. Unknown settings, and values out of
 * range, are ignored: the recorder has checked them. */
void ser_runtime_options_read(ser_runtime_options *options, const char *text);

/* memory.c: memory for the runtime itself, never given back; null if there is none. */
void *ser_memory(size_t size);
/* The same by pages, of a file or (-1) none; munmap gives it back. */
void *ser_map(size_t size, int flags, int file);

#endif
