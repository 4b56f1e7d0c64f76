/* SPDX-License-Identifier: MIT */
/* The conditions of carried.h: searches in the control flow, one for each use of a phi. */
#include "instrument/guards/carried.h"

bool ser_values_have(const ser_values *values, LLVMValueRef value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return true;
    return false;
}

/* --- ways through the function -------------------------------------------------------------- */

typedef SER_VECTOR(LLVMBasicBlockRef) block_list;

/* Does control that goes from one block to the next begin anew with the initial value? */
static bool begins_anew(const ser_carried *carried, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (size_t i = 0; i < carried->phis.count; i++) {
        LLVMValueRef phi = carried->phis.items[i];
        for (unsigned j = 0; LLVMGetInstructionParent(phi) == to && j < LLVMCountIncoming(phi); j++)
            if (LLVMGetIncomingBlock(phi, j) == from &&
                LLVMGetIncomingValue(phi, j) == carried->initial)
                return true;
    }
    return false;
}

static bool has_block(const block_list *blocks, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->items[i] == block)
            return true;
    return false;
}

/* Is there a way from the end of one block into the other that does not enter `without`, nor,
 * if `anew` is given, begins anew? */
static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef without,
                     const ser_carried *anew)
{
    block_list open = {0};
    bool found = false;
    ser_vector_push(&open, from);
    for (size_t i = 0; i < open.count && !found; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(open.items[i]);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(end) && !found; j++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, j);
            if (next == without || (anew && begins_anew(anew, open.items[i], next)))
                continue;
            found = next == to;
            if (!has_block(&open, next))
                ser_vector_push(&open, next);
        }
    }
    ser_vector_free(&open);
    return found;
}

static bool comes_later_in_block(LLVMValueRef first, LLVMValueRef later)
{
    for (LLVMValueRef at = first; at; at = LLVMGetNextInstruction(at))
        if (at == later)
            return true;
    return false;
}

/* --- the conditions ------------------------------------------------------------------------- */

/* Where the value is used: of a phi, the end of the block that it comes from. */
static bool is_old_at(const ser_carried *carried, LLVMValueRef phi, LLVMBasicBlockRef block,
                      LLVMValueRef user)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(carried->load);
    if (block == from && (!user || comes_later_in_block(carried->load, user)))
        return true;
    return leads_to(from, block, LLVMGetInstructionParent(phi), NULL);
}

static bool is_old_for(const ser_carried *carried, LLVMValueRef phi, LLVMValueRef user)
{
    if (!LLVMIsAPHINode(user))
        return is_old_at(carried, phi, LLVMGetInstructionParent(user), user);
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == phi &&
            is_old_at(carried, phi, LLVMGetIncomingBlock(user, i), NULL))
            return true;
    return false;
}

static bool is_new_where_used(const ser_carried *carried, LLVMValueRef phi)
{
    for (LLVMUseRef each = LLVMGetFirstUse(phi); each; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (!LLVMIsAInstruction(user) ||
            (!ser_values_have(&carried->inner, user) && is_old_for(carried, phi, user)))
            return false;
    }
    return true;
}

/* Does each step count what was read since the step before, once? */
static bool is_made_each_round(const ser_carried *carried)
{
    LLVMBasicBlockRef load = LLVMGetInstructionParent(carried->load),
                      step = LLVMGetInstructionParent(carried->step),
                      head = LLVMGetInstructionParent(carried->used);
    return !leads_to(load, load, head, NULL) &&
           (head == load || (head != step && !leads_to(head, step, load, NULL)));
}

bool ser_carried_is_kept(const ser_carried *carried)
{
    if (carried->used && !is_made_each_round(carried))
        return false;
    for (size_t i = 0; i < carried->phis.count; i++)
        if (!is_new_where_used(carried, carried->phis.items[i]))
            return false;
    return true;
}

bool ser_carried_is_over(const ser_carried *carried, LLVMValueRef at)
{
    LLVMBasicBlockRef load = LLVMGetInstructionParent(carried->load),
                      block = LLVMGetInstructionParent(at);
    return LLVMGetBasicBlockParent(block) == LLVMGetBasicBlockParent(load) && block != load &&
           !leads_to(block, load, NULL, carried);
}

bool ser_carried_starts_behind(const ser_carried *carried, const ser_followed *followed,
                               LLVMValueRef access)
{
    LLVMBasicBlockRef load = LLVMGetInstructionParent(carried->load),
                      block = LLVMGetInstructionParent(access);
    for (size_t i = 0; i < carried->phis.count; i++)
        if (!ser_dominates(followed->dominance, access, carried->phis.items[i]))
            return false;
    return block != load && !leads_to(load, block, NULL, carried);
}
