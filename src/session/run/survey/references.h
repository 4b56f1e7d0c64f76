/* SPDX-License-Identifier: MIT */
/*
 * references.h - counts of references, known by what happens to them.
 *
 * Such a count is in memory of the heap, begins with a positive number, and only goes up and down
 * by one, each time in one atomic operation; who drops a reference looks at what that operation
 * returns, and whoever brings the count to zero is the last one that accesses it. Who holds a
 * reference need not care that others take or drop theirs. What goes up only, or is accessed after
 * it was zero, is no such count: a counter, or a number of seats that somebody has taken without a
 * look. So is one whose owner looks first, and then drops its reference: two may do so at once.
 */
#ifndef SER_SESSION_RUN_SURVEY_REFERENCES_H
#define SER_SESSION_RUN_SURVEY_REFERENCES_H

#include "order/run.h"
#include "witness/checker.h"

/* By variable: is it one, in the run as it happened? To be freed. O(events). */
bool *ser_references_find(const ser_run *run);

/* Are all steps of the path accesses of such counts? O(events) if all are atomic. */
bool ser_is_about_references(const ser_run *run, const ser_witness_facts *facts);

#endif
