/* SPDX-License-Identifier: MIT */
/*
 * merging.h - merges the results of many runs into one folder: of the tests of a suite, of the
 * shards of a job on several machines.
 *
 *     status = ser_merge_results("all", inputs, count, error);
 *     status = ser_reporting_add(&work, "all", error);
 *
 * The folder holds a sub-folder a task, with its result.json and the traces and schedules that its
 * findings need, and a result.json of its own that names them:
 *
 *     {"command":"merge","verdict":...,"results":[{"task":...,"folder":...,"source":...,"verdict":...}]}
 *
 * A task is known by where its result came from. To merge it again replaces it, other tasks stay,
 * and the index is written last: a merge that was interrupted is done again.
 */
#ifndef SER_SESSION_REPORTING_MERGING_H
#define SER_SESSION_REPORTING_MERGING_H

#include <stddef.h>

#include "base/status.h"

/* Inputs are folders of run, explore or merge, or their result.json. SER_INPUT, with the index
 * unchanged, if one of them is something else; SER_USAGE if one lies in the folder itself. */
ser_status ser_merge_results(const char *folder, const char *const *inputs, size_t count,
                             ser_error *error);

#endif
