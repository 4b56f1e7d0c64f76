/* SPDX-License-Identifier: MIT */
/*
 * recheck.h - an atomic operation that tells by itself that what the block saw before is out of
 * date.
 *
 * A block that reads a variable and then changes it by a compare-exchange is interrupted harmlessly
 * in between: the compare-exchange fails, and the program knows. So does one that looks at what
 * fetch_add returns, and decides by that what it had decided by the read; and one that reads once
 * more, and compares both (Michael and Scott's queue).
 */
#ifndef SER_SESSION_RUN_JUDGE_RECHECK_H
#define SER_SESSION_RUN_JUDGE_RECHECK_H

#include "order/run.h"
#include "witness/checker.h"

/* Is the block's last access of the path one? The order need not have happened. O(events). */
bool ser_is_rechecked(const ser_run *run, const ser_witness_facts *facts);

/* Does an update of a variable decide once more, by what it returns, what a read of the variable
 * has decided before? If guards of both are known they tell: values that led different ways in the
 * read must do so in the update. O(events). */
bool ser_decides_again(const ser_run *run, uint32_t read, uint32_t update);

/* Or at least a part of it: is there a result of the update's look that only values have which the
 * read would have refused? The update of a reader-writer lock looks for a writer that is inside,
 * and lets one wait for which the read had looked as well. Also if it is not known how the update
 * decides. O(events). */
bool ser_notices_some(const ser_run *run, uint32_t read, uint32_t update);

#endif
