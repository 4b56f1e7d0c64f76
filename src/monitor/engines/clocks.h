/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - the vector clocks of AeroDrome, shared by events of equal time.
 *
 * A clock has one time for each thread; a thread's own time is the number of
 * blocks it began. A clock knows the begin of an open block iff its time for that
 * block's thread has reached the block's: the comparison of two clocks that the
 * paper writes (C_begin(t) is below C) is one of two numbers.
 *
 * Clocks are objects. A thread that knows an open block has a current one, the time
 * of its last event; whoever wants to remember the time of an event stores a token for it, and the
 * clock is copied only when the thread learns something new. When a block ends,
 * all clocks that know its begin are raised in place. Each open block has a list
 * of them, so that the cost does not depend on the number of variables.
 *
 * A clock that knows no open block can never again tell anything: it dies, and
 * tokens for it with it. So threads that do nothing in blocks cost no clock.
 * Invariant: a token is alive iff its clock's generation is the token's, and then
 * its clock knows an open block.
 */
#ifndef SER_MONITOR_ENGINES_CLOCKS_H
#define SER_MONITOR_ENGINES_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

/* A token is a generation (never 0) and the number of a clock. */
enum { SER_CLOCK_BITS = 30 };

/* What no clock's time reaches: the begin of a thread that has no block open. */
#define SER_NEVER UINT64_MAX

/* The current clock of a thread that knows no open block. */
#define SER_NO_CLOCK UINT32_MAX

typedef struct ser_clock {
    uint64_t generation;
    uint32_t references; /* stored tokens of this generation */
    uint32_t known;      /* open blocks whose begin it knows */
    uint32_t thread;     /* it is the time of events of this thread */
    bool current;        /* the thread's last event has this time */
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
    ser_clock_list *knowing; /* by thread: clocks that may know the open block's begin */
} ser_clocks;

/* An all-zero ser_clocks is empty and valid. */
void ser_clocks_fini(ser_clocks *clocks);

/* Makes room for threads up to this one. */
void ser_clocks_admit(ser_clocks *clocks, uint32_t thread);

/* The thread begins a block; it must have none open. */
void ser_clocks_begin(ser_clocks *clocks, uint32_t thread);

/*
 * The thread ends its block: all clocks that know its begin learn what it knows.
 * Where that would tell a thread with an open block about its own begin there is
 * a cycle: the thread is handed to `violated`, and its clock stays as it is.
 */
void ser_clocks_end(ser_clocks *clocks, uint32_t thread,
                    void (*violated)(void *context, uint32_t thread), void *context);

/* The thread's current clock learns what the token's clock knows. */
void ser_clocks_join(ser_clocks *clocks, uint32_t thread, uint64_t token);

/* Ends a clock's generation; no token is alive any more. */
void ser_clocks_bury(ser_clocks *clocks, uint32_t number);

static inline uint32_t ser_clocks_number(uint64_t token)
{
    return token & ((UINT32_C(1) << SER_CLOCK_BITS) - 1);
}

static inline uint64_t *ser_clocks_times(const ser_clocks *clocks, uint32_t number)
{
    return clocks->times + (size_t)number * clocks->width;
}

/* The token for the time of the thread's last event; 0 if it knows no open block. */
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

/* Does the clock know the begin of the thread's open block? False if it has none. */
static inline bool ser_clocks_knows(const ser_clocks *clocks, uint64_t token, uint32_t thread)
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
        ser_clocks_bury(clocks, ser_clocks_number(token));
}

#endif
