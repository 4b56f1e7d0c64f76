/* SPDX-License-Identifier: MIT */
/*
 * derived.h - replays and probes in which the program took another path, as runs to predict
 * from.
 */
#ifndef SER_SESSION_RUN_DERIVED_H
#define SER_SESSION_RUN_DERIVED_H

#include "session/run/job.h"

/* The trace, and how the program ended. */
typedef struct ser_derived {
    char *path; /* owned */
    int exit, signal;
} ser_derived;

typedef SER_VECTOR(ser_derived) ser_derived_list;

void ser_derived_add(ser_derived_list *list, const char *path, int exit, int signal);
/* Removes the files that nobody has taken over. */
void ser_derived_fini(ser_derived_list *list);

/* Predicts from those that are new, a few in all runs of the job: they become traces of the report,
 * which are kept for what is to be replayed. */
ser_status ser_derived_predict(ser_run_job *job, ser_derived_list *list, ser_error *error);

#endif
