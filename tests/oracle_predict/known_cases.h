/* SPDX-License-Identifier: MIT */
/*
 * known_cases.h - small traces whose answers were worked out by hand.
 *
 * The brute force is what engines are measured against; these are what the brute
 * force is measured against.
 */
#ifndef SER_ORACLE_KNOWN_CASES_H
#define SER_ORACLE_KNOWN_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "random_trace.h"

typedef struct known_case {
    const char *what;
    const char *trace; /* events with blanks between; behind a ; which reads may change */
    /* Of the first block. */
    bool path, serializability;
} known_case;

extern const known_case known_cases[];
extern const size_t known_case_count;

/* Does it say which reads may change (draw_reads.h)? */
bool known_case_has_rules(const known_case *known);

/* The events of a case, appended to an empty list. */
void known_case_events(const known_case *known, event_list *events);

#endif
