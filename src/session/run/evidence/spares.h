/* SPDX-License-Identifier: MIT */
/*
 * spares.h - further runs that show a bug which seems to do no harm.
 *
 * Such a bug is judged by what the program prints in the run that shows it (evidence.h).
 * Which of these runs printed something unusual is known only when all runs are there. Until then
 * a few that printed something new are kept as spares, in the order of the runs.
 */
#ifndef SER_SESSION_RUN_EVIDENCE_SPARES_H
#define SER_SESSION_RUN_EVIDENCE_SPARES_H

#include "report/run_report.h"

/* Is the last run of the report worth to be kept as another one that shows the bug? */
bool ser_wants_spare(const ser_run_report *report, const ser_bug *bug);

/* The same bug, shown by the last run. Takes it over, with the file of its schedule. */
void ser_spares_add(ser_run_report *report, ser_bug *spare);

/* When all runs are there: a spare that prints something unusual takes the place of what prints the
 * usual. The others are removed. */
void ser_spares_choose(ser_run_report *report);

#endif
