/* SPDX-License-Identifier: MIT */
/*
 * disk.h - how much room the output folder of a job may take. Above it, traces of old runs in which
 * nothing was found are removed, oldest first; where that does not help, no new run is made.
 */
#ifndef SER_SESSION_SURROUNDINGS_DISK_H
#define SER_SESSION_SURROUNDINGS_DISK_H

#include "report/run_report.h"

/* Removes traces until the folder is small enough, but not the first run's and the last one's.
 * False: it is still too large. */
bool ser_disk_make_room(const char *folder, uint64_t limit, ser_run_report *report);

#endif
