/* SPDX-License-Identifier: MIT */
/*
 * reference_all.h - what --all must report, with naive reachability.
 *
 * An event that closes a cycle is reported with its block, each block once, and
 * the edges that close it are left out of the graph from then on. Hence it
 * matters which edges there are: not every pair of conflicting events, but the
 * ones that come directly before an event (direct_edges), as a monitor that
 * remembers only last accesses has them. The definition's first cycle closes
 * at the same event either way.
 */
#ifndef SER_ORACLE_REFERENCE_ALL_H
#define SER_ORACLE_REFERENCE_ALL_H

#include "base/vector.h"
#include "facts.h"

/* A reported block: by the number of its first event. */
typedef struct finding {
    size_t event;
    size_t block;
    uint32_t thread;
} finding;

typedef SER_VECTOR(finding) finding_list;

/* Appends the findings to an empty list. */
void reference_all(finding_list *findings, const facts *f);

#endif
