/* SPDX-License-Identifier: MIT */
#include "instrument/code/choices.h"

#include "instrument/code/locals.h"

enum { FARTHEST = 32 }; /* blocks between the choice and its use */

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
    return user && LLVMIsABranchInst(user) ? LLVMGetInstructionParent(user) : NULL;
}

/* Where control comes from that reaches the block through `from`: the end of that one, or of the
 * one before it, whose branch chose it. `by`: the block that was chosen. */
static LLVMValueRef branch_to(LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                              LLVMBasicBlockRef *by)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    *by = block;
    if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
        return end;
    LLVMBasicBlockRef before = only_predecessor(from);
    *by = from;
    end = before ? LLVMGetBasicBlockTerminator(before) : NULL;
    return end && LLVMIsConditional(end) ? end : NULL;
}

/* Of two ways into the block, with a value each. */
static bool choose(LLVMBasicBlockRef block, const LLVMBasicBlockRef from[2],
                   const LLVMValueRef values[2], ser_choice *choice)
{
    LLVMBasicBlockRef by[2];
    LLVMValueRef branch = branch_to(block, from[0], &by[0]);
    LLVMValueRef other = branch_to(block, from[1], &by[1]);
    if (!branch || branch != other || by[0] == by[1])
        return false;
    unsigned first = LLVMGetSuccessor(branch, 0) == by[0] ? 0 : 1;
    *choice = (ser_choice){LLVMGetCondition(branch), {values[first], values[1 - first]}};
    return true;
}

bool ser_choice_of_phi(LLVMValueRef phi, ser_choice *choice)
{
    if (LLVMCountIncoming(phi) != 2)
        return false;
    const LLVMBasicBlockRef from[2] = {LLVMGetIncomingBlock(phi, 0), LLVMGetIncomingBlock(phi, 1)};
    const LLVMValueRef values[2] = {LLVMGetIncomingValue(phi, 0), LLVMGetIncomingValue(phi, 1)};
    return choose(LLVMGetInstructionParent(phi), from, values, choice);
}

/* True: there are two, both ends of blocks. */
static bool find_predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef from[2])
{
    unsigned count = 0;
    for (LLVMUseRef each = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); each;
         each = LLVMGetNextUse(each)) {
        if (count == 2 || !LLVMIsABranchInst(LLVMGetUser(each)))
            return false;
        from[count++] = LLVMGetInstructionParent(LLVMGetUser(each));
    }
    return count == 2;
}

bool ser_choice_of_local(LLVMValueRef load, ser_choice *choice)
{
    LLVMValueRef local = LLVMGetOperand(load, 0);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load), before, from[2];
    if (!LLVMIsAAllocaInst(local) || !ser_is_simple_local(local) ||
        ser_store_in_block(local, LLVMGetPreviousInstruction(load)))
        return false;
    for (unsigned left = FARTHEST; (before = only_predecessor(block)) && left > 0; left--) {
        if (ser_store_in_block(local, LLVMGetLastInstruction(before)))
            break;
        block = before;
    }
    if (before || !find_predecessors(block, from))
        return false;
    const LLVMValueRef stores[2] = {ser_store_at_end(local, from[0]),
                                    ser_store_at_end(local, from[1])};
    if (!stores[0] || !stores[1])
        return false;
    const LLVMValueRef values[2] = {LLVMGetOperand(stores[0], 0), LLVMGetOperand(stores[1], 0)};
    return choose(block, from, values, choice);
}

/* The first variable with a constant address that is written in the block; NULL: there is none. */
static LLVMValueRef first_written(LLVMBasicBlockRef block)
{
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsAStoreInst(each) && LLVMIsAConstant(LLVMGetOperand(each, 1)))
            return LLVMGetOperand(each, 1);
    }
    return NULL;
}

bool ser_chooses_variable(LLVMValueRef branch)
{
    if (LLVMGetNumSuccessors(branch) != 2)
        return false;
    LLVMValueRef one = first_written(LLVMGetSuccessor(branch, 0)),
                 other = first_written(LLVMGetSuccessor(branch, 1));
    return one && other && one != other;
}
