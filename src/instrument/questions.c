/* SPDX-License-Identifier: MIT */
/*
 * Questions about functions and calls that LLVM-C does not answer directly.
 */
#include "instrument/unit.h"
#include "instrument/unrecorded.h"

bool ser_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

LLVMValueRef ser_called_function(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    while (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
        callee = LLVMGetOperand(callee, 0);
    return LLVMIsAFunction(callee);
}

const char *ser_called_name(LLVMValueRef call)
{
    LLVMValueRef function = ser_called_function(call);
    size_t length;
    return function ? LLVMGetValueName2(function, &length) : "";
}

bool ser_has_attribute(LLVMValueRef function, const char *name)
{
    const LLVMAttributeIndex where = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (kind && LLVMGetEnumAttributeAtIndex(function, where, kind))
        return true;
    return LLVMGetStringAttributeAtIndex(function, where, name, (unsigned)strlen(name));
}

/* LLVM-C has no way to ask before version 18, but prints it. Calls that may
 * be made tail calls are rare this early, so that the cost does not matter. */
bool ser_must_tail(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) || !LLVMIsTailCall(call))
        return false;
    char *text = LLVMPrintValueToString(call);
    bool result = strstr(text, "musttail call") != NULL;
    LLVMDisposeMessage(text);
    return result;
}

static bool is_resolver(const ser_unit *unit, LLVMValueRef function)
{
    for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(unit->module); ifunc;
         ifunc = LLVMGetNextGlobalIFunc(ifunc))
        if (LLVMGetGlobalIFuncResolver(ifunc) == function)
            return true;
    return false;
}

bool ser_may_instrument(ser_unit *unit, LLVMValueRef function)
{
    size_t length;
    return LLVMGetFirstBasicBlock(function) &&
           LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage && !ser_is_copy(function) &&
           !ser_has_attribute(function, "naked") &&
           !ser_has_attribute(function, "disable_sanitizer_instrumentation") &&
           !ser_starts_with(LLVMGetValueName2(function, &length), "__seriatim_") &&
           !ser_is_annotated(unit, function, "seriatim_ignore") && !is_resolver(unit, function);
}

LLVMValueRef ser_first_instruction(LLVMValueRef function)
{
    LLVMValueRef instruction = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

/* The global a constant is made of by casts and offsets, or the constant. */
static LLVMValueRef strip_constant(LLVMValueRef value)
{
    while (LLVMIsAConstantExpr(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool is_annotation(LLVMValueRef entry, LLVMValueRef function, const char *annotation)
{
    if (strip_constant(LLVMGetOperand(entry, 0)) != function)
        return false;
    LLVMValueRef text = LLVMGetInitializer(strip_constant(LLVMGetOperand(entry, 1)));
    size_t length = 0;
    const char *bytes = text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : "";
    return length == strlen(annotation) + 1 && memcmp(bytes, annotation, length) == 0;
}

bool ser_is_annotated(ser_unit *unit, LLVMValueRef function, const char *annotation)
{
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, "llvm.global.annotations");
    LLVMValueRef entries = global ? LLVMGetInitializer(global) : NULL;
    int count = entries ? LLVMGetNumOperands(entries) : 0;
    for (int i = 0; i < count; i++)
        if (is_annotation(LLVMGetOperand(entries, (unsigned)i), function, annotation))
            return true;
    return false;
}

bool ser_unit_claim(LLVMModuleRef module, const char *step)
{
    if (LLVMGetNamedMetadata(module, step, strlen(step)) ||
        LLVMPointerSize(LLVMGetModuleDataLayout(module)) != sizeof(uint64_t))
        return false;
    LLVMGetOrInsertNamedMetadata(module, step, strlen(step));
    return true;
}

bool ser_has_known_callers(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool good = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    for (LLVMUseRef each = LLVMGetFirstUse(function); each && good; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (ser_is_in_copy(user))
            continue;
        good = (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
               LLVMGetCalledValue(user) == function &&
               LLVMTypeOf(user) == LLVMGetReturnType(LLVMGlobalGetValueType(function));
        for (unsigned i = 0; good && i < LLVMGetNumArgOperands(user); i++)
            good = LLVMGetOperand(user, i) != function;
    }
    return good;
}
