/* SPDX-License-Identifier: MIT */
/*
 * spins.h - has a function a loop that only looks, until others have changed what it looks at?
 *
 *     while (flag[other] && turn == other)
 *         ;
 *
 * Nothing in such a loop writes, or calls anything but what lets time pass. This is a heuristic for
 * what synchronises threads without atomic variables; nothing that is reported as certain depends
 * on it.
 */
#ifndef SER_INSTRUMENT_CODE_SPINS_H
#define SER_INSTRUMENT_CODE_SPINS_H

#include <stdbool.h>

#include "instrument/unit.h"

/* O(blocks^3), and false of functions with many. */
bool ser_spins(LLVMValueRef function);

#endif
