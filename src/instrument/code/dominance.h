/* SPDX-License-Identifier: MIT */
/* dominance.h - is an instruction always executed before another one? */
#ifndef SER_INSTRUMENT_CODE_DOMINANCE_H
#define SER_INSTRUMENT_CODE_DOMINANCE_H

#include "instrument/unit.h"

/* Does every way from the function's entry to `later` come through `first`, another instruction of
 * the function? O(blocks). */
bool ser_dominates(LLVMValueRef first, LLVMValueRef later);

#endif
