/* SPDX-License-Identifier: MIT */
#include "instrument/guards/printed.h"

#include "instrument/accesses/library/library.h"

/* Another FILE may be memory of the program. */
static bool is_standard(LLVMValueRef file)
{
    size_t length;
    LLVMValueRef global = LLVMIsALoadInst(file) ? LLVMGetOperand(file, 0) : NULL;
    if (!global || !LLVMIsAGlobalVariable(global) || LLVMGetInitializer(global))
        return false;
    const char *name = LLVMGetValueName2(global, &length);
    return strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

/* The functions that print to a FILE, if to these two. */
static bool prints(const ser_library_function *function, LLVMValueRef call)
{
    static const char *const names[] = {"printf", "__printf_chk"};
    if (function->conversions != SER_PRINTS)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(function->name, names[i]) == 0)
            return true;
    return function->file && function->appends &&
           is_standard(LLVMGetOperand(call, function->file - 1U));
}

/* Does it stand behind the format only? */
static bool is_behind_format(const ser_library_function *function, LLVMValueRef call,
                             LLVMValueRef number)
{
    for (unsigned i = 0; i <= function->format; i++)
        if (LLVMGetOperand(call, i) == number)
            return false;
    return true;
}

static bool is_number(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMIntegerTypeKind || kind == LLVMDoubleTypeKind;
}

bool ser_is_only_printed(LLVMValueRef call, LLVMValueRef number)
{
    const ser_library_function *function = ser_library_find(call);
    ser_effect_list effects = {0};
    bool good = function && !LLVMGetFirstUse(call) && prints(function, call) && is_number(number) &&
                is_behind_format(function, call, number) &&
                ser_format_effects(function, call, &effects) &&
                !ser_format_has_sizes(function, call);
    ser_vector_free(&effects);
    return good;
}
