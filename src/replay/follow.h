/* SPDX-License-Identifier: MIT */
/*
 * follow.h - does the program do what the plan says? Looks at its records as they come.
 *
 * Each operation of a thread, as far as the schedule goes, must be of the kind and at the place
 * that the recorded run has (its last one may be a compare-exchange that fails now, or succeeds);
 * where the trace has an elided one, an access, a call or a return. The first one that is not, or
 * the runtime's record that a thread did not arrive, ends a strict replay. By place (plan.h) the
 * replay goes on: which threads have left their recorded paths, and where, is kept.
 */
#ifndef SER_REPLAY_FOLLOW_H
#define SER_REPLAY_FOLLOW_H

#include "base/pairmap.h"
#include "record/capture/definitions.h"
#include "record/capture/program.h"
#include "replay/plan.h"

/* How far a thread is. */
typedef struct ser_followed_thread {
    uint64_t done; /* operations */
    size_t next;   /* the first of its starts (plan.h) that is still to come */
    bool astray;   /* by place: it left its recorded path, */
    uint32_t left; /* at this event, which was expected instead; 0: none was */
} ser_followed_thread;

typedef struct ser_follower {
    const ser_plan *plan;
    ser_definitions definitions;
    ser_pairmap places;                       /* a place that was seen and one that was expected to
                                                 whether they are the same (1) or not (0) */
    SER_VECTOR(ser_followed_thread) followed; /* by number of the thread */
    uint64_t total;                           /* operations of all threads */
    uint32_t last;                            /* event of the last one; 0: it is not in the trace */
    uint64_t missing_inputs; /* calls that should have got their recorded result, and did not */
    bool by_place;
    bool replayed;  /* all that was planned has happened; by place: or was lost */
    bool given_up;  /* by place: the schedule; the threads are free */
    bool diverged;  /* by place: some thread has left its path */
    bool waited;    /* by a wait or a wake-up that only one of the runs has, or before a step that
                       never waits */
    uint32_t event; /* where: the event that was expected, 0 if none was */
    char reason[1024]; /* expected ..., saw ... */
    uint64_t lost;     /* by place: turns */
    uint64_t bounds;   /* lost turns that hit a bound, or whose threads were on their paths */
} ser_follower;

void ser_follower_init(ser_follower *follower, const ser_plan *plan, bool by_place);
void ser_follower_fini(ser_follower *follower);

/* Has all that was planned happened (for ser_record_options.is_done)? */
bool ser_follower_is_done(const void *follower);

/* False once a strict replay has diverged (for ser_record_options.look). */
bool ser_follower_look(void *follower, ser_program *program, const ser_record *records,
                       size_t count);

#endif
