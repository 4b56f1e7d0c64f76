/* SPDX-License-Identifier: MIT */
/*
 * One walk from the load to the end of its block, with the set of what depends on it: values, and
 * local variables that such a value was stored into.
 */
#include "instrument/code/releases.h"

#include "instrument/code/locals.h"

enum { MOST_INSTRUCTIONS = 200 };

static bool is_release(LLVMValueRef call)
{
    static const char *const names[] = {"pthread_mutex_unlock", "pthread_rwlock_unlock",
                                        "pthread_spin_unlock", "mtx_unlock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(ser_called_name(call), names[i]) == 0)
            return true;
    return false;
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

/* Only computes: it cannot fail, and nothing but its result tells what it was given. */
static bool is_harmless(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return true;
    default:
        return false;
    }
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

/* False: from here on something depends on the value. */
static bool pass(ser_names *tainted, LLVMValueRef instruction)
{
    LLVMValueRef local = local_of(instruction);
    if (!uses_tainted(tainted, instruction))
        return true;
    if (local) {
        taint(tainted, LLVMIsAStoreInst(instruction) ? local : instruction);
        return true;
    }
    if (!is_harmless(instruction))
        return false;
    taint(tainted, instruction);
    return true;
}

unsigned ser_releases_before_use(LLVMValueRef load)
{
    ser_names *tainted = ser_names_create();
    unsigned count = 0, seen = 0;
    taint(tainted, load);
    for (LLVMValueRef at = LLVMGetNextInstruction(load); at && seen++ < MOST_INSTRUCTIONS;
         at = LLVMGetNextInstruction(at)) {
        if (!pass(tainted, at))
            break;
        if (LLVMIsACallInst(at))
            count += is_release(at) ? 1 : releases_in(ser_called_function(at));
    }
    ser_names_destroy(tainted);
    return count;
}
