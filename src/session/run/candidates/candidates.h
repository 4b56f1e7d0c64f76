/* SPDX-License-Identifier: MIT */
/*
 * candidates.h - the part of the main job that tests what is not certain by running the program:
 * replays interleavings that are possible only if threads take the same paths after reads of
 * different writes (predict/candidates.h), and reports those that happen.
 *
 * A refutation teaches how far a thread comes after such a read, and the next candidate of the
 * place is tried. A replay in which the program took another path is a new run: violations are
 * predicted from a few of these as well.
 */
#ifndef SER_SESSION_RUN_CANDIDATES_CANDIDATES_H
#define SER_SESSION_RUN_CANDIDATES_CANDIDATES_H

#include "session/run/job.h"

/* Of one trace, unless it was not kept. May add traces to the report. */
ser_status ser_run_try_candidates(ser_run_job *job, size_t trace, ser_error *error);

#endif
