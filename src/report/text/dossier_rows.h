/* SPDX-License-Identifier: MIT */
/*
 * dossier_rows.h - the columns of a picture: one per thread, one row per step.
 */
#ifndef SER_REPORT_TEXT_DOSSIER_ROWS_H
#define SER_REPORT_TEXT_DOSSIER_ROWS_H

#include "bugs/bugs.h"
#include "bugs/failures.h"
#include "predict/predict.h"
#include "report/dossier_formats.h"

enum { SER_TEXT_WIDTH = 120 }; /* of a file */

void ser_picture_print(const ser_picture *picture, const ser_dossier_style *style, FILE *file);

/* The same of a predicted violation, as text that the bug keeps, and the names of its variables.
 * `names` are those of the run: made if they are NULL, to be destroyed by the caller. */
void ser_bug_illustrate(ser_bug *bug, const ser_run *run, const ser_block_result *result,
                        ser_plain_names **names);

/* The same of one that only the monitor has seen, by the events that show it. */
void ser_bug_illustrate_observed(ser_bug *bug, const ser_run *run, const uint32_t *path,
                                 size_t count, ser_plain_names **names);

/* What the last step of a failure does, and the name of the variable that it differs in. */
void ser_failure_illustrate(ser_failure *failure, const ser_run *run);

#endif
