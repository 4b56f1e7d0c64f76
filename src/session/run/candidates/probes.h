/* SPDX-License-Identifier: MIT */
/*
 * probes.h - the part of the main job that lets threads read earlier, to see which paths they take
 * then.
 *
 * A thread that checks, finds nothing to do and goes on has no access that could violate a block,
 * so that no violation can be predicted from it. In a few further runs such reads come before the
 * writes that they saw (explore/reversal.h). If the program takes another path there, violations
 * are predicted from these runs. Locks that are taken in both orders (explore/inversion.h) are
 * tried first: such a run deadlocks.
 */
#ifndef SER_SESSION_RUN_CANDIDATES_PROBES_H
#define SER_SESSION_RUN_CANDIDATES_PROBES_H

#include "session/run/candidates/derived.h"

/* Of a run whose trace was kept; the runs that it leads to are appended. */
ser_status ser_run_probe(ser_run_job *job, ser_kept_trace *recorded, ser_derived_list *list,
                         ser_error *error);

#endif
