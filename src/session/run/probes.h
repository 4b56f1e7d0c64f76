/* SPDX-License-Identifier: MIT */
/*
 * probes.h - the part of the main job that looks where threads go if they read earlier.
 *
 * A thread that checks, finds nothing to do and goes on has no step that could violate a
 * block: nothing can be predicted from it. So a few runs have such reads come before the
 * writes that they saw (explore/reversal.h). They are predicted from if the program took another
 * path in them.
 */
#ifndef SER_SESSION_RUN_PROBES_H
#define SER_SESSION_RUN_PROBES_H

#include "session/run/derived.h"

/* Of a run whose trace was kept; the runs that it leads to are appended. */
ser_status ser_run_probe(ser_run_job *job, ser_kept_trace *recorded, ser_derived_list *list,
                         ser_error *error);

#endif
