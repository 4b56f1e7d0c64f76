/* SPDX-License-Identifier: MIT */
/*
 * memcpy, memmove and memset. If only one side is shared, the other needs no event: the copy is
 * then a load or store of that many bytes.
 */
#include "instrument/accesses/body.h"

typedef enum range_kind { RANGE_NONE, RANGE_COPY, RANGE_MOVE, RANGE_SET } range_kind;

static bool is_intrinsic(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    return ser_starts_with(name, stem) &&
           (ser_starts_with(name + length, "p0") || ser_starts_with(name + length, "inline."));
}

/* A function called by that name with two pointers (or a byte) and a size. */
static bool is_function(LLVMValueRef call, const char *name)
{
    LLVMValueRef function = ser_called_function(call);
    if (strcmp(ser_called_name(call), name) != 0 || LLVMGetNumArgOperands(call) != 3)
        return false;
    return LLVMIsACallInst(call) && LLVMIsDeclaration(function) && !ser_must_tail(call) &&
           LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 2))) == LLVMIntegerTypeKind;
}

static range_kind kind_of(LLVMValueRef call)
{
    const char *name = ser_called_name(call);
    if (is_intrinsic(name, "llvm.memcpy.") || is_function(call, "memcpy"))
        return RANGE_COPY;
    if (is_intrinsic(name, "llvm.memmove.") || is_function(call, "memmove"))
        return RANGE_MOVE;
    if (is_intrinsic(name, "llvm.memset.") || is_function(call, "memset"))
        return RANGE_SET;
    return RANGE_NONE;
}

static bool is_shared(ser_body *body, LLVMValueRef pointer)
{
    LLVMTypeRef type = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0 &&
           !ser_is_private(body->locality, body->unit, pointer);
}

bool ser_is_range(ser_body *body, LLVMValueRef call)
{
    range_kind kind = kind_of(call);
    return kind != RANGE_NONE && (is_shared(body, LLVMGetOperand(call, 0)) ||
                                  (kind != RANGE_SET && is_shared(body, LLVMGetOperand(call, 1))));
}

LLVMValueRef ser_range_pointer(ser_body *body, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0);
    return is_shared(body, to) ? to : LLVMGetOperand(call, 1);
}

uint64_t ser_range_size(LLVMValueRef call)
{
    LLVMValueRef size = LLVMGetOperand(call, 2);
    return LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 1;
}

static void copy(ser_body *body, LLVMValueRef call, LLVMValueRef size, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    if (!is_shared(body, from))
        SER_CALL(unit, "__seriatim_store_n", to, from, size, site);
    else if (!is_shared(body, to))
        SER_CALL(unit, "__seriatim_load_n", from, to, size, site);
    else if (kind_of(call) == RANGE_COPY)
        SER_CALL(unit, "__seriatim_memcpy", to, from, size, site);
    else
        SER_CALL(unit, "__seriatim_memmove", to, from, size, site);
}

void ser_rewrite_range(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMBuilderRef builder = unit->builder;
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef to = LLVMGetOperand(call, 0);
    LLVMValueRef size = LLVMBuildZExtOrBitCast(builder, LLVMGetOperand(call, 2), unit->i64, "");
    if (kind_of(call) == RANGE_SET) {
        LLVMValueRef byte = LLVMBuildZExtOrBitCast(builder, LLVMGetOperand(call, 1), unit->i32, "");
        SER_CALL(unit, "__seriatim_memset", to, byte, size, site);
    } else {
        copy(body, call, size, site);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
        LLVMReplaceAllUsesWith(call, to);
    LLVMInstructionEraseFromParent(call);
}
