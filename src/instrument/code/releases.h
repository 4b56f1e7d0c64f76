/* SPDX-License-Identifier: MIT */
/*
 * releases.h - how many locks does a thread release before anything depends on what it has read?
 *
 * "lock(m); b = balance; unlock(m); if (b > 0) ...": whatever is read, the lock is released, and so
 * others may come in before the branch.
 */
#ifndef SER_INSTRUMENT_CODE_RELEASES_H
#define SER_INSTRUMENT_CODE_RELEASES_H

#include "instrument/unit.h"

/* Calls that release a lock, behind the load and in its basic block, before something else than a
 * local gets its value, or a value that is computed from it. O(instructions of the block). */
unsigned ser_releases_before_use(LLVMValueRef load);

#endif
