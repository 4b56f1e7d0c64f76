/* SPDX-License-Identifier: MIT */
/*
 * before_use.h - how far does a thread go before anything depends on what it has read?
 *
 * "lock(m); b = balance; unlock(m); if (b > 0) ...": whatever is read, the lock is released, and so
 * others may come in before the branch. "old = x; x = old + 1; if (old == most) ...": whatever is
 * read, x is written.
 */
#ifndef SER_INSTRUMENT_CODE_BEFORE_USE_H
#define SER_INSTRUMENT_CODE_BEFORE_USE_H

#include "instrument/accesses/locality.h"
#include "instrument/unit.h"

/* Recorded stores, and calls that acquire or release a lock, that come behind the load on every
 * way, before a branch, an address, an argument or a result depends on its value; what is stored
 * may. O(instructions · blocks), of some hundred at most. */
unsigned ser_steps_before_use(ser_unit *unit, ser_locality *locality, LLVMValueRef load);

#endif
