/* SPDX-License-Identifier: MIT */
/*
 * elided.h - counts elided operations: each has a number, and before the next event a record says
 * how many there were (SKIP; calls and returns have the count in themselves). Which may be elided
 * is decided elsewhere (elide/elision.h).
 */
#ifndef SER_RUNTIME_CORE_RECORDS_ELIDED_H
#define SER_RUNTIME_CORE_RECORDS_ELIDED_H

#include "runtime/core/core.h"

/* One operation more, which is elided. */
static inline void ser_leave_out(ser_thread *me)
{
    me->stamp += SER_STAMP_ONE;
}

/* Elided operations must be counted in a record before the thread's next event. */
static inline bool ser_owes(const ser_thread *me)
{
    return ser_elided(me) != me->recorded_elided;
}
/* Writes these records. The thread is inside and has no line locked; waits for room if need be. */
void ser_record_elided(ser_thread *me);
/* The same before a call or return, which has the count itself: returns it, as the record's
 * value. */
uint64_t ser_record_calls(ser_thread *me);
/* The same where no open call was elided: then that is all. */
static inline uint64_t ser_take_elided(ser_thread *me)
{
    uint64_t count = ser_elided(me) - me->recorded_elided;
    me->recorded_elided += count;
    return count;
}
/* The same at the thread's end, where no event follows. */
void ser_record_rest(ser_thread *me);

/* A record that is no operation. In serial mode there is room, or will be; in parallel mode
 * there is (SER_ROOM). */
void ser_put_note(ser_thread *me, int op, uint64_t object, uint64_t value, uint32_t site);

/* Ends SER_KEEP_AT_FIRST if the run has so many operations by now. The thread does not run. */
void ser_keeping_look(ser_thread *thread, uint64_t position);

/* The time of samples; it only rises, from 1. */
enum { SER_CLOCKS_OF_TIME = 64 };
static inline uint64_t ser_parallel_time(const ser_thread *me)
{
    return me->clock / SER_CLOCKS_OF_TIME + 1;
}
uint64_t ser_time_now(const ser_thread *me);

/* Called periodically: notes how many operations the thread has made by now. */
void ser_sample_operations(ser_thread *thread);

#endif
