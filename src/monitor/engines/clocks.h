/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - the vector clocks of AeroDrome, shared by events of equal time.
 *
 * A clock has one time for each thread; a thread's own time is the number of
 * blocks it began. A clock contains (happens after) the begin of an open block iff its time for
 * that block's thread has reached the block's: the paper's comparison of two clocks, C_begin(t)
 * below C, is a comparison of two numbers.
 *
 * Clocks are objects. A thread whose clock contains the begin of an open block has a current clock
 * object, the time of its last event. A token refers to the clock of an event; the clock is copied
 * only when it changes. When a block ends, all clocks that contain its begin are raised in place.
 * Each open block has a list of them, so that the cost does not depend on the number of variables.
 *
 * A clock that contains the begin of no open block cannot matter any more: it is freed, and its
 * tokens are dead. So threads without blocks cost no clock. Invariant: a token is alive iff its
 * clock's generation is the token's, and then its clock contains the begin of an open block.
 */
#ifndef SER_MONITOR_ENGINES_CLOCKS_H
#define SER_MONITOR_ENGINES_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

/* A token is a generation (never 0) and the number of a clock. */
enum { SER_CLOCK_BITS = 30 };

/* Later than every time: the begin of a thread that has no open block. */
#define SER_NEVER UINT64_MAX

/* The current clock of a thread whose clock contains no open block's begin. */
#define SER_NO_CLOCK UINT32_MAX

typedef struct ser_clock {
    uint64_t generation;
    uint32_t references;  /* stored tokens of this generation */
    uint32_t open_begins; /* open blocks whose begin it contains */
    uint32_t thread;      /* it is the time of events of this thread */
    bool current;         /* the thread's last event has this time */
} ser_clock;

typedef SER_VECTOR(uint32_t) ser_clock_list;

typedef struct ser_clocks {
    SER_VECTOR(ser_clock) clocks;
    ser_clock_list unused;
    uint64_t *times;         /* `width` for each clock */
    uint64_t *listed;        /* by clock: the threads in whose lists it stands, as bits */
    size_t capacity;         /* clocks that times and listed have room for */
    uint32_t width;          /* threads they have room for */
    uint32_t threads;        /* threads admitted: 0 .. threads - 1 */
    uint64_t *begins;        /* by thread: time of the open block's begin, or SER_NEVER */
    uint64_t *begun;         /* by thread: the blocks it began */
    uint32_t *current;       /* by thread: a clock, or SER_NO_CLOCK */
    ser_clock_list *knowing; /* by thread: clocks that may contain the open block's begin */
} ser_clocks;

/* An all-zero ser_clocks is empty and valid. */
void ser_clocks_fini(ser_clocks *clocks);

/* Makes room for threads up to this one. */
void ser_clocks_admit(ser_clocks *clocks, uint32_t thread);

/* The thread begins a block; it must have none open. */
void ser_clocks_begin(ser_clocks *clocks, uint32_t thread);

/*
 * The thread ends its block: all clocks that contain its begin are joined with its clock. If that
 * would put the begin of another thread's open block into that thread's own clock, there is a
 * cycle: the thread is passed to `violated`, and its clock stays as it is.
 */
void ser_clocks_end(ser_clocks *clocks, uint32_t thread,
                    void (*violated)(void *context, uint32_t thread), void *context);

/* Joins the thread's current clock with the token's clock. */
void ser_clocks_join(ser_clocks *clocks, uint32_t thread, uint64_t token);

/* Ends a clock's generation; no token is alive any more. */
void ser_clocks_free(ser_clocks *clocks, uint32_t number);

static inline uint32_t ser_clocks_number(uint64_t token)
{
    return token & ((UINT32_C(1) << SER_CLOCK_BITS) - 1);
}

static inline uint64_t *ser_clocks_times(const ser_clocks *clocks, uint32_t number)
{
    return clocks->times + (size_t)number * clocks->width;
}

/* The token for the time of the thread's last event; 0 if its clock contains no open block's begin.
 */
static inline uint64_t ser_clocks_token(const ser_clocks *clocks, uint32_t thread)
{
    uint32_t number = clocks->current[thread];
    if (number == SER_NO_CLOCK)
        return 0;
    return clocks->clocks.items[number].generation << SER_CLOCK_BITS | number;
}

static inline bool ser_clocks_alive(const ser_clocks *clocks, uint64_t token)
{
    return clocks->clocks.items[ser_clocks_number(token)].generation == token >> SER_CLOCK_BITS;
}

/* Does the clock contain the begin of the thread's open block? False if it has none. */
static inline bool ser_clocks_contains(const ser_clocks *clocks, uint64_t token, uint32_t thread)
{
    return ser_clocks_times(clocks, ser_clocks_number(token))[thread] >= clocks->begins[thread];
}

static inline uint32_t ser_clocks_thread(const ser_clocks *clocks, uint64_t token)
{
    return clocks->clocks.items[ser_clocks_number(token)].thread;
}

static inline void ser_clocks_keep(ser_clocks *clocks, uint64_t token)
{
    clocks->clocks.items[ser_clocks_number(token)].references++;
}

/* The token may be one that is no longer alive. */
static inline void ser_clocks_drop(ser_clocks *clocks, uint64_t token)
{
    ser_clock *clock = &clocks->clocks.items[ser_clocks_number(token)];
    if (clock->generation != token >> SER_CLOCK_BITS)
        return;
    if (--clock->references == 0 && !clock->current)
        ser_clocks_free(clocks, ser_clocks_number(token));
}

#endif
