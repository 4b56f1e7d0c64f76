/* SPDX-License-Identifier: MIT */
#include "instrument/code/locals.h"

static bool is_marker(LLVMValueRef user)
{
    const char *name = LLVMIsACallInst(user) ? ser_called_name(user) : "";
    return ser_starts_with(name, "llvm.lifetime.") || ser_starts_with(name, "llvm.dbg.");
}

/* Only markers may use a local under another type. */
static bool is_for_markers(LLVMValueRef cast)
{
    bool good = LLVMIsABitCastInst(cast);
    for (LLVMUseRef each = LLVMGetFirstUse(cast); each && good; each = LLVMGetNextUse(each))
        good = is_marker(LLVMGetUser(each));
    return good;
}

static bool is_single(LLVMValueRef local)
{
    LLVMValueRef count = LLVMGetOperand(local, 0);
    return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

bool ser_is_simple_local(LLVMValueRef local)
{
    LLVMTypeRef type = LLVMGetAllocatedType(local);
    bool good = is_single(local);
    for (LLVMUseRef each = LLVMGetFirstUse(local); each && good; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (LLVMIsALoadInst(user))
            good = LLVMTypeOf(user) == type;
        else if (LLVMIsAStoreInst(user))
            good = LLVMGetOperand(user, 0) != local && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        else
            good = is_marker(user) || is_for_markers(user);
    }
    return good;
}

LLVMValueRef ser_only_store_of_local(LLVMValueRef local)
{
    LLVMValueRef store = NULL;
    if (!ser_is_simple_local(local))
        return NULL;
    for (LLVMUseRef each = LLVMGetFirstUse(local); each; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (!LLVMIsAStoreInst(user))
            continue;
        if (store)
            return NULL;
        store = user;
    }
    return store;
}

LLVMValueRef ser_only_value_of_local(LLVMValueRef local)
{
    LLVMValueRef store = ser_only_store_of_local(local);
    return store ? LLVMGetOperand(store, 0) : NULL;
}
