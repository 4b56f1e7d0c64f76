/* SPDX-License-Identifier: MIT */
/*
 * derived.h - replays and probes in which the program took another path, as runs to predict
 * from.
 */
#ifndef SER_SESSION_RUN_CANDIDATES_DERIVED_H
#define SER_SESSION_RUN_CANDIDATES_DERIVED_H

#include "session/run/job.h"

/* The trace, and how the program ended. */
typedef struct ser_derived {
    char *path; /* owned */
    int exit, signal;
} ser_derived;

typedef SER_VECTOR(ser_derived) ser_derived_list;

void ser_derived_add(ser_derived_list *list, const char *path, int exit, int signal);
/* Removes the files that did not become traces of the report. */
void ser_derived_fini(ser_derived_list *list);

/* Predicts from those that are new, a few in the whole job. They become traces of the report,
 * and are kept for replays. */
ser_status ser_derived_predict(ser_run_job *job, ser_derived_list *list, ser_error *error);

#endif
