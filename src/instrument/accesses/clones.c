/* SPDX-License-Identifier: MIT */
/*
 * A function that other modules may call can return what it read to any code, and one of this
 * module to several callers. So callers in this module that use the result as data only (flows.h)
 * get a copy of it that no other code can call: reads in the copy are data only, and have sites of
 * their own. With optimisation the same happens to small functions when they are inlined.
 *
 * Only functions for which that makes a difference are copied, if they are not large. What a copy
 * calls may have to be copied in turn, so this is repeated until nothing changes.
 */
#include "instrument/accesses/body.h"
#include "instrument/instrument.h"

enum { MOST_INSTRUCTIONS = 200 };

typedef struct cloner {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *asked;  /* addresses of functions */
    ser_values clones; /* of these; the function itself: it is not copied, NULL: not yet */
    bool changed;
} cloner;

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

static bool may_be_read(const cloner *work, LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction) || LLVMIsAAtomicRMWInst(instruction))
        return ser_is_recorded(work->unit, work->locality, instruction);
    LLVMValueRef callee = is_call(instruction) ? ser_called_function(instruction) : NULL;
    return callee && ser_is_body_known(work->unit, callee);
}

/* Would a read in the function be data only in a copy of it? */
static bool is_worth_it(const cloner *work, LLVMValueRef function)
{
    unsigned count = 0;
    bool found = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            if (++count > MOST_INSTRUCTIONS || LLVMIsAIndirectBrInst(instruction))
                return false;
            found = found || (may_be_read(work, instruction) &&
                              ser_is_returned_as_data(work->unit, work->locality, instruction));
        }
    return found;
}

static bool can_be_cloned(const cloner *work, LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_own = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    bool has_callers = LLVMGetFirstUse(function) && LLVMGetNextUse(LLVMGetFirstUse(function));
    return (!is_own || has_callers) && ser_is_body_known(work->unit, function) &&
           !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) && is_worth_it(work, function);
}

static uint32_t number_of(cloner *work, LLVMValueRef function)
{
    uint32_t number = ser_names_add(work->asked, (const char *)&function, sizeof function);
    if (number == work->clones.count)
        ser_vector_push(&work->clones, can_be_cloned(work, function) ? NULL : function);
    return number;
}

static void consider(cloner *work, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (!callee || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        return;
    uint32_t number = number_of(work, callee);
    if (work->clones.items[number] == callee || !ser_is_data_only(work->unit, work->locality, call))
        return;
    if (!work->clones.items[number]) {
        work->clones.items[number] = ser_clone_function(callee, ".data");
        uint32_t clone = number_of(work, work->clones.items[number]);
        work->clones.items[clone] = work->clones.items[number]; /* one copy is enough */
    }
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, work->clones.items[number]);
    work->changed = true;
}

static void look_through(cloner *work, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (is_call(instruction))
                consider(work, instruction);
}

void ser_clone_for_data(ser_unit *unit, ser_locality *locality)
{
    cloner work = {.unit = unit, .locality = locality, .asked = ser_names_create()};
    do {
        work.changed = false;
        for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
             function = LLVMGetNextFunction(function))
            if (ser_may_instrument(unit, function))
                look_through(&work, function);
    } while (work.changed);
    ser_vector_free(&work.clones);
    ser_names_destroy(work.asked);
}
