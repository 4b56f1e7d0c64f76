/* SPDX-License-Identifier: MIT */
#include "instrument/guards/guard_expression.h"

#include <inttypes.h>
#include <stdio.h>

#include "instrument/code/operations.h"

bool ser_guard_extend(ser_guard_expression *to, const ser_guard_expression *from,
                      const char *before, const char *after, bool loses)
{
    int length = snprintf(to->text, sizeof to->text, "%s%s%s", before, from->text, after);
    to->depth = from->depth + 1;
    to->tells_apart = from->tells_apart && !loses;
    to->is_moved = from->is_moved;
    to->carried = from->carried;
    to->is_copied = from->is_copied;
    return (size_t)length < sizeof to->text && to->depth < SER_DEEPEST_GUARD;
}

bool ser_switch_express(const ser_unit *unit, LLVMValueRef branch, unsigned first,
                        const ser_guard_expression *as, ser_guard_expression *one_of)
{
    LLVMValueRef target = LLVMGetOperand(branch, first + 1);
    unsigned width = ser_number_width(unit, LLVMTypeOf(LLVMGetOperand(branch, 0)));
    *one_of = (ser_guard_expression){0};
    for (unsigned i = first; i < (unsigned)LLVMGetNumOperands(branch); i += 2) {
        char before[SER_FOLLOWED_SIZE + 2] = "", after[48];
        uint64_t constant;
        if (LLVMGetOperand(branch, i + 1) != target)
            continue;
        if (!ser_is_constant(unit, LLVMGetOperand(branch, i), &constant))
            return false;
        if (i > first)
            snprintf(before, sizeof before, "%s,", one_of->text);
        snprintf(after, sizeof after, ",%" PRIu64 ",eq%u%s", constant, width,
                 i > first ? ",or1" : "");
        if (!ser_guard_extend(one_of, as, before, after, true))
            return false;
    }
    return true;
}

bool ser_switch_is_first(LLVMValueRef branch, unsigned at)
{
    for (unsigned i = 2; i < at; i += 2)
        if (LLVMGetOperand(branch, i + 1) == LLVMGetOperand(branch, at + 1))
            return false;
    return LLVMGetOperand(branch, 1) != LLVMGetOperand(branch, at + 1);
}
