/* SPDX-License-Identifier: MIT */
/*
 * Which functions may exist twice. The others are instrumented only, and cost more in runs without
 * a recorder.
 */
#include <ctype.h>
#include <stdlib.h>

#include "instrument/instrument.h"
#include "instrument/unit.h"
#include "instrument/unrecorded.h"

/* Functions that the compiler changes later on, at their entry or as a whole. */
static bool is_changed_later(LLVMValueRef function)
{
    static const char *const attributes[] = {
        "instrument-function-entry",
        "instrument-function-entry-inlined",
        "fentry-call",
        "patchable-function",
        "patchable-function-entry",
        "function-instrument",
        "xray-instruction-threshold",
        "jmp-table",
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (ser_has_attribute(function, attributes[i]))
            return true;
    return false;
}

static bool is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || strchr("_.$@", letter);
}

/* A label at the colon? Not 1: or ${0:b}, nor %fs:0. */
static bool ends_label(const char *text, const char *colon)
{
    const char *start = colon;
    bool is_number = true;
    for (; start > text && is_of_name(start[-1]); start--)
        is_number = is_number && isdigit((unsigned char)start[-1]);
    return !is_number && (start == text || !strchr("{%", start[-1]));
}

/* Labels with names can be there once only, unless each copy of the code has its own number. */
static bool defines_label(LLVMValueRef assembly)
{
    char *text = ser_assembly_text(assembly);
    bool found = false;
    for (const char *colon = strchr(text, ':'); colon && !found; colon = strchr(colon + 1, ':'))
        found = ends_label(text, colon);
    found = found && !strstr(text, "${:uid}");
    free(text);
    return found;
}

static bool is_unique(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction) &&
        !LLVMIsACallBrInst(instruction))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    unsigned kind = LLVMGetEnumAttributeKindForName("noduplicate", strlen("noduplicate"));
    return LLVMGetCallSiteEnumAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind) ||
           (LLVMIsAInlineAsm(callee) && defines_label(callee));
}

static bool has_unique_code(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (is_unique(instruction))
                return true;
    return false;
}

bool ser_is_copyable(LLVMValueRef function)
{
    return !is_changed_later(function) && ser_can_hand_on_arguments(function) &&
           !ser_has_labels_outside(function) && !ser_is_tied_to_group(function) &&
           !has_unique_code(function);
}
