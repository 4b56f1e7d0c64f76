/* SPDX-License-Identifier: MIT */
/*
 * replay.h - following a schedule (serial mode).
 *
 * The tool that replays puts the schedule into the channel: stretches, each a thread and the number
 * of steps it has made in all when the stretch is over. A step is a record of an event (channel.h;
 * a range is one) or an elided operation. While the schedule is followed, only the thread whose
 * stretch it is gets the token. A runtime call with several events is not interrupted between them:
 * the thread may be ahead of its stretch then, and the next one of it is shorter.
 *
 * A stretch by place (schedule.h) is over when the thread has reached a place a number of times.
 * What the thread does before that does not matter, so it may take another path than in the
 * recorded run. A stretch that does not reach its end is lost: a TURN_LOST record is written, and
 * the schedule goes on with the next one. That happens if its thread waits for another one, is not
 * there, makes too many steps, waits or calls that may block, or (a few times) makes none for
 * replay_ms.
 *
 * Where the run that is replayed has elided operations (gaps, schedule.h), the replay elides, too,
 * if it can: what the trace has is recorded, so that the two can be compared, and the rest costs as
 * little as in a recording. A new run that only begins with a schedule elides as any other
 * (ser_channel.elides), except where a stretch looks for a place.
 *
 * When all stretches are over a REPLAYED record is written, and the threads are free. If the thread
 * that should run waits for another one, has ended, or does not come within replay_ms, a strict
 * schedule is given up: a DIVERGED record is written, and they are free as well. So a schedule that
 * the program does not follow never hangs it. Whether the steps are the recorded ones is checked by
 * the tool, which sees the records.
 *
 * Unless something else is said, functions are called with ser_runtime_world.lock.
 */
#ifndef SER_RUNTIME_CORE_TURNS_REPLAY_H
#define SER_RUNTIME_CORE_TURNS_REPLAY_H

#include "runtime/core/core.h"

/* Finds the schedule, if there is one. Once, at the start, without the lock. */
void ser_replay_start(void);

extern bool ser_replaying;

/* Is a schedule being followed? */
static inline bool ser_replays(void)
{
    return ser_unlikely(ser_replaying);
}

/* Was a schedule followed to its end? From then on threads are free. */
bool ser_replay_was_followed(void);

/* Notes a site whose definition is recorded; without the lock, with the token. */
void ser_replay_note_site(uint32_t number, const char *file, uint32_t line, uint32_t column);

/* Counts the steps that were made since the last call, and goes on in the schedule. */
void ser_replay_count(void);

/* The thread leaves the runtime for a call that may block. */
void ser_replay_leaves(const ser_thread *thread);

/* The thread whose stretch it is; null if it does not want the token now. If it never
 * will, the schedule is given up. */
ser_thread *ser_replay_pick(void);

/* How many records the thread, whose turn begins, may make before its steps are counted. */
uint64_t ser_replay_turn(const ser_thread *thread, uint64_t position);

/* How many of its next operations the thread, whose turn begins, may elide; 0: none. */
uint64_t ser_replay_elides(const ser_thread *thread, uint64_t position);

/* May the thread, which has the token, go on? */
bool ser_replay_is_next(const ser_thread *thread);

/* Milliseconds that the thread whose stretch it is may take for its next step. One that waits for
 * bytes of others is not waited for as long as one that may sleep: mostly they come from threads
 * that may not run now. */
uint64_t ser_replay_patience(void);

/* The thread whose stretch it is makes no step. No thread is inside the runtime. */
void ser_replay_give_up(void);

#endif
