/* SPDX-License-Identifier: MIT */
/*
 * coverage.h - which orders of conflicting places have been seen, and which one to try
 * next. The main header of src/explore.
 *
 * Two accesses of one variable by different threads, one of them a write, with no write
 * between them, show an order of two places of the program. Where the other order has not
 * been seen, a schedule can try for it: everything up to the first access (or to where its
 * thread takes a lock that both hold) as recorded, then the other thread alone up to its
 * access. The program may diverge from it. Where no order of places is missing, those of the same
 * places but other variables are tried for. A read that came before all writes of other threads
 * is an order, too. So is a notification before the critical section in which its waiter began to
 * wait: it may be lost. Orders that forks and joins force are not tried for.
 *
 * Places are known by their location and variables by their name, so that runs can be compared.
 * Not thread-safe.
 */
#ifndef SER_EXPLORE_COVERAGE_H
#define SER_EXPLORE_COVERAGE_H

#include <stdbool.h>

#include "order/run.h"

typedef struct ser_coverage ser_coverage;

ser_coverage *ser_coverage_create(void);
void ser_coverage_destroy(ser_coverage *coverage);

/* Adds the orders of a run. How many of them are new. O(events). */
size_t ser_coverage_add(ser_coverage *coverage, const ser_run *run);

/* How many orders have been seen. */
size_t ser_coverage_count(const ser_coverage *coverage);

/*
 * An order whose opposite was neither seen nor tried: of the run that was added last. The
 * interleaving to try is put into `order`, and what it is for into `aim`. False if there is
 * none. `random` chooses among them.
 */
bool ser_coverage_choose(ser_coverage *coverage, uint64_t random, ser_event_list *order, char *aim,
                         size_t size);

#endif
