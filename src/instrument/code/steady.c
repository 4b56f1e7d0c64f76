/* SPDX-License-Identifier: MIT */
/* From the value back to all that it is computed from, through locals. */
#include "instrument/code/steady.h"

#include "instrument/code/locals.h"
#include "instrument/code/operations.h"

enum { MOST_VALUES = 64 };

/* Rewriting must leave the instruction as it is: accesses and calls may be replaced by others. */
static bool stays(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef local = LLVMGetOperand(value, 0);
        return LLVMIsAAllocaInst(local) && ser_is_simple_local(local);
    }
    return LLVMIsAPHINode(value) || LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
           LLVMIsAICmpInst(value) || LLVMIsASelectInst(value) || LLVMIsAGetElementPtrInst(value);
}

static void visit(ser_values *values, LLVMValueRef value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return;
    if (LLVMIsAInstruction(value))
        ser_vector_push(values, value);
}

/* All that is written into a local. */
static void visit_stores(ser_values *values, LLVMValueRef local)
{
    for (LLVMUseRef each = LLVMGetFirstUse(local); each; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == local)
            visit(values, LLVMGetOperand(user, 0));
    }
}

static void visit_operands(ser_values *values, LLVMValueRef instruction)
{
    LLVMValueRef local = LLVMIsALoadInst(instruction) ? LLVMGetOperand(instruction, 0) : NULL;
    if (local && LLVMIsAAllocaInst(local))
        visit_stores(values, local);
    bool is_phi = LLVMIsAPHINode(instruction);
    unsigned count =
        is_phi ? LLVMCountIncoming(instruction) : (unsigned)LLVMGetNumOperands(instruction);
    for (unsigned i = 0; i < count; i++)
        visit(values,
              is_phi ? LLVMGetIncomingValue(instruction, i) : LLVMGetOperand(instruction, i));
}

static bool is_followed(const ser_followed *followed, LLVMValueRef value)
{
    return (LLVMIsALoadInst(value) || LLVMIsAAtomicRMWInst(value)) &&
           ser_followed_key(followed, value) != 0;
}

static bool has_followed(const ser_followed *followed, LLVMValueRef value)
{
    ser_values values = {0};
    bool found = false;
    visit(&values, value);
    for (size_t i = 0; i < values.count && !found; i++) {
        found = i == MOST_VALUES || is_followed(followed, values.items[i]);
        visit_operands(&values, values.items[i]);
    }
    ser_vector_free(&values);
    return found;
}

/* Is the local, which is read in the same block right after the access, the same before it? */
static bool is_same_before(LLVMValueRef load, LLVMValueRef access)
{
    LLVMValueRef local = LLVMGetOperand(load, 0), at = load;
    while (at && at != access && !(LLVMIsAStoreInst(at) && LLVMGetOperand(at, 1) == local))
        at = LLVMGetPreviousInstruction(at);
    return at == access;
}

static bool is_here(const ser_followed *followed, LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)) == followed->function;
}

LLVMValueRef ser_find_steady(const ser_followed *followed, LLVMValueRef value, LLVMValueRef access)
{
    if (!LLVMIsAInstruction(value) || !stays(value) || !is_here(followed, value) ||
        !is_here(followed, access) || !ser_number_width(followed->unit, LLVMTypeOf(value)))
        return NULL;
    LLVMValueRef found = NULL;
    if (ser_dominates(followed->dominance, value, access))
        found = value;
    else if (LLVMIsALoadInst(value) && is_same_before(value, access))
        found = LLVMGetOperand(value, 0);
    return found && !has_followed(followed, value) ? found : NULL;
}
