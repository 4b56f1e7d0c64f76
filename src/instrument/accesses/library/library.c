/* SPDX-License-Identifier: MIT */
#include "instrument/accesses/library/library.h"

static bool is_kind(LLVMValueRef value, LLVMTypeKind kind)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == kind;
}

static bool is_pointer(LLVMValueRef value)
{
    return is_kind(value, LLVMPointerTypeKind) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == 0;
}

/* Is the argument what the measure takes it for? */
static bool suits(LLVMValueRef call, const ser_effect *effect)
{
    if (effect->measure == SER_SIZE_CONSTANT || effect->measure == SER_SIZE_HELD)
        return true;
    if (effect->measure == SER_SIZE_RESULT_TIMES)
        return is_kind(call, LLVMIntegerTypeKind);
    LLVMValueRef argument = LLVMGetOperand(call, effect->argument);
    switch (effect->measure) {
    case SER_SIZE_ARGUMENT:
    case SER_SIZE_WIDE_ARGUMENT:
    case SER_SIZE_BOUNDED:
    case SER_SIZE_APPENDED:
    case SER_SIZE_EIGHTS:
        return is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_PRODUCT:
        return is_kind(argument, LLVMIntegerTypeKind) &&
               is_kind(LLVMGetOperand(call, effect->argument + 1U), LLVMIntegerTypeKind);
    case SER_SIZE_STRING:
    case SER_SIZE_PRINTED_STRING:
    case SER_SIZE_WIDE:
        return is_pointer(argument);
    case SER_SIZE_SPANNED:
    case SER_SIZE_RESULT:
    case SER_SIZE_ALL_PRINTED:
    case SER_SIZE_MESSAGE:
        return is_kind(call, LLVMIntegerTypeKind);
    case SER_SIZE_PARTS:
    case SER_SIZE_RESULT_PARTS:
    case SER_SIZE_PRINTED:
        return is_kind(call, LLVMIntegerTypeKind) && is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_COPIED:
    case SER_SIZE_FOUND:
        return is_pointer(call) && is_kind(argument, LLVMIntegerTypeKind);
    case SER_SIZE_FILLED:
    case SER_SIZE_SEARCHED:
        return is_pointer(call);
    default: /* those of formats, which are never in the table */
        return false;
    }
}

LLVMValueRef ser_effect_argument(const ser_effect *effect, LLVMValueRef call)
{
    switch (effect->pointer) {
    case SER_TO_RESULT:
    case SER_TO_TARGET:
    case SER_TO_HIDDEN:
        return NULL;
    case SER_TO_STRING:
        return LLVMGetOperand(call, effect->argument);
    case SER_TO_END:
        return LLVMGetOperand(call, 0);
    default:
        return LLVMGetOperand(call, effect->pointer);
    }
}

static bool has_pointer(LLVMValueRef call, const ser_effect *effect)
{
    if (effect->pointer == SER_TO_HIDDEN)
        return true;
    if (effect->pointer == SER_TO_TARGET)
        return is_pointer(LLVMGetOperand(call, 0));
    LLVMValueRef argument = ser_effect_argument(effect, call);
    return is_pointer(argument ? argument : call);
}

static bool is_called_rightly(LLVMValueRef call, const ser_library_function *function)
{
    if (LLVMGetNumArgOperands(call) < function->arguments)
        return false;
    if (function->file && !is_pointer(LLVMGetOperand(call, function->file - 1U)))
        return false;
    for (const ser_effect *effect = function->effects; effect->kind; effect++)
        if (!has_pointer(call, effect) || !suits(call, effect))
            return false;
    return true;
}

bool ser_is_of_library(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) ||
           LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

const ser_library_function *ser_library_find(LLVMValueRef call)
{
    LLVMValueRef callee = ser_called_function(call);
    if (!callee || !ser_is_of_library(callee))
        return NULL;
    const ser_library_function *function = ser_library_row(ser_called_name(call));
    return function && is_called_rightly(call, function) ? function : NULL;
}

bool ser_library_effects(const ser_library_function *function, LLVMValueRef call,
                         ser_effect_list *effects)
{
    for (const ser_effect *effect = function->effects; effect->kind; effect++)
        ser_vector_push(effects, *effect);
    return function->conversions == SER_NO_FORMAT || ser_format_effects(function, call, effects);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool ser_library_is_recorded(const ser_library_function *function)
{
    static const char *const names[] = {"read",   "recv",    "recvfrom", "write",  "send",
                                        "sendto", "connect", "poll",     "scanf",  "__isoc99_scanf",
                                        "readv",  "writev",  "recvmsg",  "sendmsg"};
    return function->file || is_one_of(function->name, names, sizeof names / sizeof *names);
}

bool ser_library_frees(LLVMValueRef call)
{
    /* operator delete and delete[]: plain, with a size, with an alignment, nothrow */
    static const char *const names[] = {
        "free",
        "realloc",
        "reallocarray",
        "munmap",
        "_ZdlPv",
        "_ZdaPv",
        "_ZdlPvm",
        "_ZdaPvm",
        "_ZdlPvSt11align_val_t",
        "_ZdaPvSt11align_val_t",
        "_ZdlPvmSt11align_val_t",
        "_ZdaPvmSt11align_val_t",
        "_ZdlPvRKSt9nothrow_t",
        "_ZdaPvRKSt9nothrow_t",
        "_ZdlPvSt11align_val_tRKSt9nothrow_t",
        "_ZdaPvSt11align_val_tRKSt9nothrow_t",
    };
    if (LLVMGetNumArgOperands(call) == 0 || !is_pointer(LLVMGetOperand(call, 0)))
        return false;
    return is_one_of(ser_called_name(call), names, sizeof names / sizeof *names);
}

/* A pointer that is returned may be the argument itself, which then lives on. */
bool ser_library_forgets(const ser_library_function *function, LLVMValueRef call, unsigned argument)
{
    if (is_pointer(call))
        return false;
    for (const ser_effect *effect = function->effects; effect->kind; effect++)
        if (effect->pointer == argument)
            return true;
    return false;
}
