/* SPDX-License-Identifier: MIT */
#include "instrument/accesses/decisions.h"

#include <string.h>

enum { MOST_VALUES = 100, MOST_BLOCKS = 300 };

typedef SER_VECTOR(LLVMBasicBlockRef) block_list;

/* --- what is decided ----------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static bool takes_lock(const char *name)
{
    return ser_starts_with(name, "mtx_lock") ||
           (ser_starts_with(name, "pthread_") && ends_with(name, "lock") &&
            !ends_with(name, "unlock"));
}

static bool acts_within(ser_actors *actors, LLVMBasicBlockRef block);

/* While a recursive function is being examined its answer is no. */
static bool acts_in_function(ser_actors *actors, LLVMValueRef function)
{
    uint32_t count = ser_names_count(actors->functions);
    uint32_t number = ser_names_add(actors->functions, (const char *)&function, sizeof function);
    if (number < count)
        return actors->answers.items[number];
    bool found = false;
    ser_vector_push(&actors->answers, found);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !found;
         block = LLVMGetNextBasicBlock(block))
        found = acts_within(actors, block);
    actors->answers.items[number] = found;
    return found;
}

/* Takes a lock, itself or in what it calls, or changes something atomically. */
static bool acts(ser_actors *actors, LLVMValueRef instruction)
{
    if (LLVMIsAAtomicRMWInst(instruction) ||
        (LLVMIsAStoreInst(instruction) &&
         LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic))
        return true;
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
        return false;
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return takes_lock(ser_called_name(instruction)) ||
           (function && acts_in_function(actors, function));
}

static bool acts_within(ser_actors *actors, LLVMBasicBlockRef block)
{
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction))
        if (acts(actors, instruction))
            return true;
    return false;
}

void ser_actors_init(ser_actors *actors)
{
    *actors = (ser_actors){.functions = ser_names_create()};
}

void ser_actors_fini(ser_actors *actors)
{
    ser_names_destroy(actors->functions);
    ser_vector_free(&actors->answers);
}

bool ser_has_decisions(ser_actors *actors, LLVMValueRef function)
{
    return LLVMCountBasicBlocks(function) <= MOST_BLOCKS && acts_in_function(actors, function);
}

/* --- branches ------------------------------------------------------------------ */

static bool has_block(const block_list *blocks, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->items[i] == block)
            return true;
    return false;
}

/* All that can be reached from a block without coming to `end` again. */
static void reach(LLVMBasicBlockRef from, LLVMBasicBlockRef end, block_list *reached)
{
    ser_vector_push(reached, from);
    for (size_t i = 0; i < reached->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(reached->items[i]);
        for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            if (next != end && !has_block(reached, next))
                ser_vector_push(reached, next);
        }
    }
}

/* Is there an instruction that acts and can be reached from the branch in some directions, but
 * not in all? */
static bool acts_on_one_way(ser_actors *actors, LLVMValueRef branch, unsigned way)
{
    LLVMBasicBlockRef end = LLVMGetInstructionParent(branch);
    block_list here = {0}, there = {0};
    bool found = false;
    reach(LLVMGetSuccessor(branch, way), end, &here);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch) && !found; i++) {
        there.count = 0;
        if (LLVMGetSuccessor(branch, i) == LLVMGetSuccessor(branch, way))
            continue;
        reach(LLVMGetSuccessor(branch, i), end, &there);
        for (size_t k = 0; k < here.count && !found; k++)
            found = !has_block(&there, here.items[k]) && acts_within(actors, here.items[k]);
    }
    ser_vector_free(&here);
    ser_vector_free(&there);
    return found;
}

static bool governs(ser_actors *actors, LLVMValueRef branch)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
        if (acts_on_one_way(actors, branch, i))
            return true;
    return false;
}

/* --- values -------------------------------------------------------------------- */

static void follow(ser_values *values, LLVMValueRef value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return;
    if (values->count < MOST_VALUES)
        ser_vector_push(values, value);
}

static void follow_local(ser_values *values, LLVMValueRef local)
{
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use))
        if (LLVMIsALoadInst(LLVMGetUser(use)))
            follow(values, LLVMGetUser(use));
}

/* True if it is a branch that decides. */
static bool see_use(ser_actors *actors, ser_values *values, LLVMValueRef user, LLVMValueRef value)
{
    if (LLVMIsABranchInst(user) || LLVMIsASwitchInst(user))
        return governs(actors, user);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
        LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
        follow_local(values, LLVMGetOperand(user, 1));
    else if (LLVMIsACmpInst(user) || LLVMIsACastInst(user) || LLVMIsABinaryOperator(user) ||
             LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user) ||
             (LLVMIsACallInst(user) && ser_starts_with(ser_called_name(user), "llvm.expect.")))
        follow(values, user);
    return false;
}

bool ser_decides(ser_actors *actors, LLVMValueRef read)
{
    ser_values values = {0};
    bool decides = false;
    follow(&values, read);
    for (size_t i = 0; i < values.count && !decides; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(values.items[i]); use && !decides;
             use = LLVMGetNextUse(use))
            decides = see_use(actors, &values, LLVMGetUser(use), values.items[i]);
    ser_vector_free(&values);
    return decides;
}
