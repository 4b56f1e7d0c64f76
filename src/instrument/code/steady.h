/* SPDX-License-Identifier: MIT */
/*
 * steady.h - numbers that may stand in a text as they are recorded: loop counters, say.
 *
 * An operand of an expression is recorded right before the access that has the text. It may be any
 * value that is computed before the access whichever way leads there, and that no followed load
 * takes part in: those may have other values in other interleavings. Loads that are not followed
 * may take part, since all that they decide are guards of theirs.
 *
 * Between the access and what uses both, the operand is not computed again: else there would be a
 * way from it to that use which avoids the access. This needs a use that only the access leads to,
 * which guards.c looks after (is_moved).
 */
#ifndef SER_INSTRUMENT_CODE_STEADY_H
#define SER_INSTRUMENT_CODE_STEADY_H

#include "instrument/code/followed.h"

/* What is to be recorded before the access for the value: itself or, without optimisation, the
 * local that it is read from; NULL: it is not steady. */
LLVMValueRef ser_find_steady(const ser_followed *followed, LLVMValueRef value, LLVMValueRef access);

#endif
