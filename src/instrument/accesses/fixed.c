/* SPDX-License-Identifier: MIT */
/*
 * Backwards from the value to all that it is computed from, at most MOST_VALUES of them. What is
 * read from recorded memory is a read of its own, and what a call returns of its arguments alone.
 */
#include "instrument/accesses/fixed.h"

#include "instrument/accesses/body.h"

enum { MOST_VALUES = 60 };

typedef struct origin_walk {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *seen;
    ser_values values;
} origin_walk;

bool ser_shares_body(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage != LLVMExternalLinkage && linkage != LLVMInternalLinkage &&
           linkage != LLVMPrivateLinkage;
}

static void look_at(origin_walk *walk, LLVMValueRef value)
{
    uint32_t count = ser_names_count(walk->seen);
    if (ser_names_add(walk->seen, (const char *)&value, sizeof value) == count)
        ser_vector_push(&walk->values, value);
}

static bool is_marker(LLVMValueRef user)
{
    const char *name = LLVMIsACallInst(user) ? ser_called_name(user) : "";
    return ser_starts_with(name, "llvm.lifetime.") || ser_starts_with(name, "llvm.dbg.");
}

/* All that is stored in a local, or in a part of it. False: it is used in other ways. */
static bool look_at_stores(origin_walk *walk, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_part = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer)
            look_at(walk, LLVMGetOperand(user, 0));
        else if (is_part ? !look_at_stores(walk, user) : !LLVMIsALoadInst(user) && !is_marker(user))
            return false;
    }
    return true;
}

static bool look_at_load(origin_walk *walk, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    if (ser_is_recorded(walk->unit, walk->locality, load))
        return true;
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) && look_at_stores(walk, pointer);
}

static void look_at_operands(origin_walk *walk, LLVMValueRef instruction, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        look_at(walk, LLVMGetOperand(instruction, i));
}

static bool look_behind(origin_walk *walk, LLVMValueRef value)
{
    if (LLVMIsAConstant(value) || LLVMIsAAllocaInst(value))
        return true;
    if (LLVMIsAArgument(value))
        return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    if (LLVMIsALoadInst(value))
        return look_at_load(walk, value);
    if (LLVMIsACallInst(value) || LLVMIsAInvokeInst(value)) {
        look_at_operands(walk, value, LLVMGetNumArgOperands(value));
        return true;
    }
    bool computes = LLVMIsACastInst(value) || LLVMIsABinaryOperator(value) ||
                    LLVMIsAGetElementPtrInst(value) || LLVMIsAPHINode(value) ||
                    LLVMIsACmpInst(value) || LLVMIsASelectInst(value);
    if (computes)
        look_at_operands(walk, value, (unsigned)LLVMGetNumOperands(value));
    return computes;
}

bool ser_stores_own_value(ser_unit *unit, ser_locality *locality, LLVMValueRef store)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store));
    if (LLVMGetLinkage(function) == LLVMExternalLinkage)
        return true; /* code that does not see its body passes it nothing of that kind */
    origin_walk walk = {.unit = unit, .locality = locality, .seen = ser_names_create()};
    bool good = true;
    look_at(&walk, LLVMGetOperand(store, 0));
    for (size_t i = 0; i < walk.values.count && good; i++)
        good = i < MOST_VALUES && look_behind(&walk, walk.values.items[i]);
    ser_vector_free(&walk.values);
    ser_names_destroy(walk.seen);
    return good;
}
