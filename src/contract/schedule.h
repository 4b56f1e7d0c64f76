/* SPDX-License-Identifier: MIT */
/*
 * schedule.h - the schedule that a replay follows, as it stands in the channel: turns, gaps, and
 * why it was given up. channel.h asserts the layouts.
 */
#ifndef SER_CONTRACT_SCHEDULE_H
#define SER_CONTRACT_SCHEDULE_H

#include <stdint.h>

/*
 * Part of a schedule. Strict (most 0): the thread goes on until it has made `until` steps in all.
 * By place: until it has come `times` times to a place, so that a thread that takes another path
 * still gives way where the plan says; the turn is lost after too many steps or wake-ups.
 */
typedef struct ser_turn {
    uint32_t thread;
    uint32_t woken; /* 1: if it waits for a condition then, it was notified; 0: its time is over */
    uint64_t until;
    uint64_t after;     /* by place: steps in all that the thread makes before places are counted */
    uint64_t place;     /* of its last step, with the operation (place.h) */
    uint32_t times;     /* that the turn comes there; 0: it ends by `until` */
    uint32_t most;      /* by place: steps of one turn; 0: it is strict */
    uint32_t wakes;     /* by place: waits of one turn that end without what they wait for */
    uint32_t following; /* 1 + index of the thread's next turn; 0: this is its last */
} ser_turn;

/*
 * Operations of a thread that the run which is replayed has elided. Only there a replay elides as
 * well, where it can, so that all that the recorded trace has is in that of the replay, too.
 */
typedef struct ser_gap {
    uint64_t before; /* steps in all that the thread has made before the first of them */
    uint64_t end;    /* and behind the last */
    uint32_t thread;
    uint32_t following; /* 1 + index of the thread's next gap; 0: this is its last */
} ser_gap;

/* Why a schedule was not followed to its end. */
enum ser_divergence {
    SER_DIVERGED_NO_THREAD = 1, /* the thread was not created */
    SER_DIVERGED_ENDED = 2,     /* it has ended */
    SER_DIVERGED_BLOCKED = 3,   /* it waits for something that is another thread's to do */
    SER_DIVERGED_LATE = 4,      /* it makes no step: it blocks outside, or computes for ever */
    SER_DIVERGED_ASTRAY = 5,    /* it makes steps, but does not reach the turn's last place */
};

#endif
