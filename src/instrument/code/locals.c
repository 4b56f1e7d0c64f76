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

static LLVMValueRef only_store_of(LLVMValueRef local)
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
    LLVMValueRef store = only_store_of(local);
    return store ? LLVMGetOperand(store, 0) : NULL;
}

LLVMValueRef ser_parameter_of(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) && LLVMIsAAllocaInst(LLVMGetOperand(value, 0)))
        value = ser_only_value_of_local(LLVMGetOperand(value, 0));
    return value && LLVMIsAArgument(value) ? value : NULL;
}

/* --- which store does a load see? ----------------------------------------------------- */

typedef struct store_search {
    LLVMValueRef local, found; /* the store that was found last */
    bool is_one;               /* so far no other, and no way without one */
    ser_names *seen;           /* blocks whose ends were reached, backwards */
    SER_VECTOR(LLVMBasicBlockRef) open;
} store_search;

LLVMValueRef ser_store_in_block(LLVMValueRef local, LLVMValueRef from)
{
    for (; from; from = LLVMGetPreviousInstruction(from))
        if (LLVMIsAStoreInst(from) && LLVMGetOperand(from, 1) == local)
            return from;
    return NULL;
}

static void note_store(store_search *at, LLVMValueRef store)
{
    at->is_one &= !at->found || at->found == store;
    at->found = store;
}

/* All blocks from which control may come to this one. */
static void open_predecessors(store_search *at, LLVMBasicBlockRef block)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    at->is_one &= block != LLVMGetEntryBasicBlock(function);
    for (LLVMUseRef each = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); each;
         each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (!LLVMIsAInstruction(user)) {
            at->is_one = false; /* its address is taken */
            return;
        }
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        uint32_t known = ser_names_count(at->seen);
        if (ser_names_add(at->seen, (const char *)&from, sizeof from) == known)
            ser_vector_push(&at->open, from);
    }
}

/* The store that is seen at the beginning of the block, if there is one. */
static LLVMValueRef store_before_block(LLVMValueRef local, LLVMBasicBlockRef beginning)
{
    store_search at = {.local = local, .is_one = true, .seen = ser_names_create()};
    open_predecessors(&at, beginning);
    while (at.open.count && at.is_one) {
        LLVMBasicBlockRef block = at.open.items[--at.open.count];
        LLVMValueRef store = ser_store_in_block(local, LLVMGetLastInstruction(block));
        if (store)
            note_store(&at, store);
        else
            open_predecessors(&at, block);
    }
    ser_names_destroy(at.seen);
    ser_vector_free(&at.open);
    return at.is_one ? at.found : NULL;
}

LLVMValueRef ser_store_at_end(LLVMValueRef local, LLVMBasicBlockRef block)
{
    LLVMValueRef store = ser_store_in_block(local, LLVMGetLastInstruction(block));
    return store ? store : store_before_block(local, block);
}

LLVMValueRef ser_store_before(LLVMValueRef load)
{
    LLVMValueRef local = LLVMGetOperand(load, 0);
    if (!LLVMIsAAllocaInst(local) || !ser_is_simple_local(local))
        return NULL;
    LLVMValueRef store = ser_store_in_block(local, LLVMGetPreviousInstruction(load));
    return store ? store : store_before_block(local, LLVMGetInstructionParent(load));
}
