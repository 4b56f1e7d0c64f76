/* SPDX-License-Identifier: MIT */
/*
 * library.h - violations that concern nothing but what a library keeps for itself, and synchronises
 * by itself: counts of references of std::shared_ptr, the state that a future and its promise
 * share, and whatever code of a header of the system accesses atomically or with locks that such
 * code has taken (queues of Asio, locks of TBB). Their steps are atomic one by one, and meant to be
 * interleaved.
 */
#ifndef SER_SESSION_RUN_JUDGE_LIBRARY_H
#define SER_SESSION_RUN_JUDGE_LIBRARY_H

#include "order/run.h"
#include "witness/checker.h"

/* Are all steps of the path such ones? O(variables). */
bool ser_is_library_matter(const ser_run *run, const ser_witness_facts *facts);

/* Does a step of the path access what std::atomic keeps about who waits? Notifying looks there
 * whether it has to wake anybody, whatever the program does. */
bool ser_leads_through_waiters(const ser_run *run, const ser_witness_facts *facts);

/* One of both: another path may show what the program does. */
static inline bool ser_leads_through_library(const ser_run *run, const ser_witness_facts *facts)
{
    return ser_is_library_matter(run, facts) || ser_leads_through_waiters(run, facts);
}

/* By the name of a variable: is it such a count? */
bool ser_counts_waiters(const char *name);

/* By variable: is it one that the library keeps for itself? To be freed. */
bool *ser_library_variables(const ser_symbols *symbols);

/* By event: is it an access of such a variable, or one that a header of the system synchronises? To
 * be freed. O(events). */
bool *ser_library_accesses(const ser_run *run);

#endif
