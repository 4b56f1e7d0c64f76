/* SPDX-License-Identifier: MIT */
/*
 * unlocked.h - a run as if locks ordered nothing, to see which blocks are interrupted in their
 * data.
 *
 * `check` finds blocks interrupted by their locks as well: by the definition they are. A block that
 * lets a lock go and takes it again is, whatever others did with it in between; and who tries a
 * lock in vain, lets go what it holds and begins again (std::scoped_lock of several locks does) has
 * done nothing yet that others could see. People who run their program want to know of data.
 */
#ifndef SER_SESSION_RUN_SURVEY_UNLOCKED_H
#define SER_SESSION_RUN_SURVEY_UNLOCKED_H

#include "order/run.h"

/* A copy of the run's events, from 1 on, in which those of locks are reads of what nobody writes:
 * they may begin or end a block. To be freed. */
ser_event *ser_events_without_locks(const ser_run *run);

#endif
