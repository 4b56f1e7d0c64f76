/* SPDX-License-Identifier: MIT */
/*
 * Calls within which nothing happens. Entry and exit go in before inlining, when it
 * is not known yet what is left of a small function. If nothing of it is to be
 * recorded, neither are its calls: of an accessor of a local there would be no more
 * than they. Pairs are looked for within one block, from the inside.
 */
#include "instrument/body.h"

static bool is_call_of(LLVMValueRef instruction, const char *name)
{
    return LLVMIsACallInst(instruction) && strcmp(ser_called_name(instruction), name) == 0;
}

/* Intrinsics are no calls; those that access shared memory were replaced before. */
static bool does_nothing(LLVMValueRef instruction)
{
    bool is_call = LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
    return !is_call || ser_starts_with(ser_called_name(instruction), "llvm.");
}

/* Is this the one exit that belongs to the last entry? */
static bool closes(const ser_values *open, LLVMValueRef exit)
{
    if (open->count == 0 || LLVMGetOperand(exit, 0) != open->items[open->count - 1])
        return false;
    LLVMUseRef use = LLVMGetFirstUse(open->items[open->count - 1]);
    return use && !LLVMGetNextUse(use);
}

static void drop_in_block(LLVMBasicBlockRef block, ser_values *open)
{
    open->count = 0;
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block), next; instruction;
         instruction = next) {
        next = LLVMGetNextInstruction(instruction);
        if (is_call_of(instruction, "__seriatim_enter")) {
            ser_vector_push(open, instruction);
        } else if (is_call_of(instruction, "__seriatim_leave") && closes(open, instruction)) {
            LLVMInstructionEraseFromParent(instruction);
            LLVMInstructionEraseFromParent(open->items[--open->count]);
        } else if (!does_nothing(instruction)) {
            open->count = 0;
        }
    }
}

void ser_drop_empty_calls(LLVMValueRef function)
{
    ser_values open = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        drop_in_block(block, &open);
    ser_vector_free(&open);
}
