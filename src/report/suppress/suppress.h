/* SPDX-License-Identifier: MIT */
/*
 * suppress.h - findings that nobody wants to hear of: named in a file, or known from an earlier
 * report (a baseline). docs/reports.md describes the file.
 *
 *     ser_suppressions *list = ser_suppressions_create();
 *     status = ser_suppressions_read(list, "known.supp", error);
 *     status = ser_suppressions_read_baseline(list, "old.sarif", error);
 *     if (ser_suppressions_match(list, &subject)) ...
 *     ser_suppressions_warn_unused(list);
 *
 * Not thread-safe.
 */
#ifndef SER_REPORT_SUPPRESS_SUPPRESS_H
#define SER_REPORT_SUPPRESS_SUPPRESS_H

#include "report/dossier/dossier.h"
#include "report/run_report.h"

typedef struct ser_suppressions ser_suppressions;

/* An access that shows the finding. */
typedef struct ser_suppress_access {
    const char *operation, *variable, *function, *location;
} ser_suppress_access;

/* What a rule may look at; texts are not NULL. */
typedef struct ser_suppress_subject {
    const char *kind, *id, *label, *function, *location;
    SER_VECTOR(const char *) variables;
    SER_VECTOR(ser_suppress_access) accesses; /* in their order */
} ser_suppress_subject;

ser_suppressions *ser_suppressions_create(void);
void ser_suppressions_destroy(ser_suppressions *list);

/* SER_INPUT, with the line, if it is no such file. */
ser_status ser_suppressions_read(ser_suppressions *list, const char *path, ser_error *error);

/* All findings of a SARIF report of ours. */
ser_status ser_suppressions_read_baseline(ser_suppressions *list, const char *path,
                                          ser_error *error);

bool ser_suppressions_match(ser_suppressions *list, const ser_suppress_subject *subject);

/* Says of each rule that has matched nothing where it stands. */
void ser_suppressions_warn_unused(const ser_suppressions *list);

/* Takes out what is suppressed, and counts it. */
void ser_dossier_suppress(ser_dossier *dossier, ser_suppressions *list);
void ser_run_suppress(ser_run_report *report, ser_suppressions *list);

/* A rule for each entry, as a file. */
void ser_dossier_print_suppressions(const ser_dossier *dossier, FILE *file);

#endif
