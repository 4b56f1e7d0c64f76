/* SPDX-License-Identifier: MIT */
/*
 * A walk from the load along all ways, with the set of what depends on it: values, and local
 * variables that such a value was stored into. Ways share the set, which only ends some of them
 * earlier. A way ends at the first instruction that depends on the value, and where it comes to a
 * block again.
 */
#include "instrument/code/before_use.h"

#include "instrument/code/locals.h"
#include "instrument/code/operations.h"

enum { MOST_INSTRUCTIONS = 300, MOST_STEPS = 100 };

typedef struct forward_walk {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *tainted; /* values and locals */
    ser_names *blocks;  /* that were entered */
    unsigned seen;      /* instructions */
} forward_walk;

static bool is_one_of(LLVMValueRef call, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(ser_called_name(call), names[i]) == 0)
            return true;
    return false;
}

static bool is_release(LLVMValueRef call)
{
    static const char *const names[] = {"pthread_mutex_unlock", "pthread_rwlock_unlock",
                                        "pthread_spin_unlock", "mtx_unlock"};
    return is_one_of(call, names, sizeof names / sizeof *names);
}

static bool is_acquire(LLVMValueRef call)
{
    static const char *const names[] = {"pthread_mutex_lock", "pthread_rwlock_rdlock",
                                        "pthread_rwlock_wrlock", "pthread_spin_lock", "mtx_lock"};
    return is_one_of(call, names, sizeof names / sizeof *names);
}

/* Of a function that does nothing else: it has one block. */
static unsigned releases_in(LLVMValueRef function)
{
    unsigned count = 0;
    LLVMBasicBlockRef block = function ? LLVMGetFirstBasicBlock(function) : NULL;
    if (!block || LLVMGetNextBasicBlock(block))
        return 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        count += LLVMIsACallInst(at) && is_release(at);
    return count;
}

static void taint(ser_names *tainted, LLVMValueRef value)
{
    ser_names_add(tainted, (const char *)&value, sizeof value);
}

static bool is_tainted(const ser_names *tainted, LLVMValueRef value)
{
    return ser_names_find(tainted, (const char *)&value, sizeof value) != SER_NO_NAME;
}

static bool uses_tainted(const ser_names *tainted, LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (is_tainted(tainted, LLVMGetOperand(instruction, i)))
            return true;
    return false;
}

/* The local that the instruction stores into or loads from; NULL: none, or others may see it. */
static LLVMValueRef local_of(LLVMValueRef instruction)
{
    LLVMValueRef local = NULL;
    if (LLVMIsALoadInst(instruction))
        local = LLVMGetOperand(instruction, 0);
    else if (LLVMIsAStoreInst(instruction))
        local = LLVMGetOperand(instruction, 1);
    return local && LLVMIsAAllocaInst(local) && ser_is_simple_local(local) ? local : NULL;
}

/* Does the store make one event, whatever it stores? */
static bool is_recorded_store(forward_walk *walk, LLVMValueRef instruction)
{
    return LLVMIsAStoreInst(instruction) &&
           !is_tainted(walk->tainted, LLVMGetOperand(instruction, 1)) &&
           ser_is_recorded(walk->unit, walk->locality, instruction);
}

/* False: from here on something depends on the value. */
static bool pass(forward_walk *walk, LLVMValueRef instruction)
{
    LLVMValueRef local = local_of(instruction);
    if (!uses_tainted(walk->tainted, instruction))
        return true;
    if (local) {
        taint(walk->tainted, LLVMIsAStoreInst(instruction) ? local : instruction);
        return true;
    }
    if (is_recorded_store(walk, instruction))
        return true;
    if (!ser_only_computes(instruction))
        return false;
    taint(walk->tainted, instruction);
    return true;
}

static unsigned steps_of(forward_walk *walk, LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction))
        return is_release(instruction) || is_acquire(instruction)
                   ? 1
                   : releases_in(ser_called_function(instruction));
    return is_recorded_store(walk, instruction);
}

static unsigned count_from(forward_walk *walk, LLVMValueRef at);

/* What all ways from the end of a block have; only branches go on. */
static unsigned count_behind(forward_walk *walk, LLVMValueRef end)
{
    unsigned least = MOST_STEPS;
    if (!LLVMIsABranchInst(end))
        return 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && least > 0; i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        uint32_t known = ser_names_count(walk->blocks);
        bool is_new = ser_names_add(walk->blocks, (const char *)&next, sizeof next) == known;
        unsigned count = is_new ? count_from(walk, LLVMGetFirstInstruction(next)) : 0;
        least = count < least ? count : least;
    }
    return least;
}

static unsigned count_from(forward_walk *walk, LLVMValueRef at)
{
    unsigned count = 0;
    for (; at && count < MOST_STEPS; at = LLVMGetNextInstruction(at)) {
        if (walk->seen++ >= MOST_INSTRUCTIONS || !pass(walk, at))
            return count;
        if (LLVMIsATerminatorInst(at))
            return count + count_behind(walk, at);
        count += steps_of(walk, at);
    }
    return count;
}

unsigned ser_steps_before_use(ser_unit *unit, ser_locality *locality, LLVMValueRef load)
{
    forward_walk walk = {.unit = unit,
                         .locality = locality,
                         .tainted = ser_names_create(),
                         .blocks = ser_names_create()};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    ser_names_add(walk.blocks, (const char *)&block, sizeof block);
    taint(walk.tainted, load);
    unsigned count = count_from(&walk, LLVMGetNextInstruction(load));
    ser_names_destroy(walk.tainted);
    ser_names_destroy(walk.blocks);
    return count;
}
