/* SPDX-License-Identifier: MIT */
/*
 * details.h - steps that say nothing to a reader, unless they are part of what happened.
 *
 * Accesses of variables that no other thread uses, of members of the C++ library (_M_p), and by
 * code of its headers. Read-only once found.
 */
#ifndef SER_REPORT_DOSSIER_DETAILS_H
#define SER_REPORT_DOSSIER_DETAILS_H

#include "report/dossier/plain_names.h"

typedef struct ser_details {
    bool *of_variable;
    bool *of_site;
} ser_details;

/* O(events + sites). */
void ser_details_find(ser_details *details, const ser_run *run, const ser_plain_names *names);
void ser_details_fini(ser_details *details);

bool ser_is_detail(const ser_details *details, const ser_event *event);

#endif
