/* SPDX-License-Identifier: MIT */
/*
 * candidates.h - the part of the main job that lets the program judge: replays interleavings that
 * are possible only if reads of different writes lead nowhere else (predict/candidates.h), and
 * reports those that the program shows.
 *
 * A refutation teaches how far a thread comes after such a read, and the next candidate of the
 * place is tried. A replay in which the program took another path is a run of its own: a few of
 * them are predicted from in turn.
 */
#ifndef SER_SESSION_RUN_CANDIDATES_H
#define SER_SESSION_RUN_CANDIDATES_H

#include "session/run/job.h"

/* Of one trace, unless it was not kept. May add traces to the report. */
ser_status ser_run_try_candidates(ser_run_job *job, size_t trace, ser_error *error);

#endif
