/* SPDX-License-Identifier: MIT */
/*
 * unlocked.h - a run as if locks and semaphores ordered nothing, to see which blocks are
 * interrupted in their data.
 *
 * `check` finds blocks interrupted by their locks as well: by the definition they are. A block that
 * releases a lock and acquires it again is one if another thread acquired it in between, whatever
 * was done there; and a thread that retries a lock (std::scoped_lock of several locks releases what
 * it holds, and begins again) has had no effect yet that others could see. Users of `run` want to
 * know about their data. The same goes for semaphores, and for messages: a block that sends one and
 * sees what comes of it has let others go on; whether they interrupt it is asked of the data.
 */
#ifndef SER_SESSION_RUN_SURVEY_UNLOCKED_H
#define SER_SESSION_RUN_SURVEY_UNLOCKED_H

#include "order/run.h"

/* A copy of the run's events, from 1 on, in which those of locks and semaphores, accesses of
 * ignored variables and what last owners do (owners.h) are reads of what is never written: they may
 * begin or end a block. To be freed. */
ser_event *ser_events_without_locks(const ser_run *run, const bool *ignored);

#endif
