/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores. A value of 1, 2, 4 or 8 bytes is passed as a whole number;
 * every other goes through a temporary, and the runtime copies.
 */
#include "instrument/accesses/body.h"

#include <stdio.h>

unsigned ser_value_width(const ser_unit *unit, LLVMTypeRef type)
{
    unsigned long long bits = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        if (LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind)
            return 0;
        bits = LLVMSizeOfTypeInBits(unit->layout, type);
        break;
    case LLVMPointerTypeKind:
        if (LLVMGetPointerAddressSpace(type) != 0)
            return 0;
        bits = LLVMSizeOfTypeInBits(unit->layout, type);
        break;
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        bits = LLVMSizeOfTypeInBits(unit->layout, type);
        break;
    default:
        return 0;
    }
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? (unsigned)bits / 8 : 0;
}

static LLVMTypeRef number_type(const ser_unit *unit, LLVMTypeRef type)
{
    return LLVMIntTypeInContext(unit->context, 8 * ser_value_width(unit, type));
}

LLVMValueRef ser_to_number(ser_unit *unit, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), number = number_type(unit, type);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(unit->builder, value, number, "");
    return LLVMBuildBitCast(unit->builder, value, number, "");
}

LLVMValueRef ser_from_number(ser_unit *unit, LLVMValueRef number, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(unit->builder, number, type, "");
    return LLVMBuildBitCast(unit->builder, number, type, "");
}

LLVMValueRef ser_temporary(ser_body *body, LLVMTypeRef type, unsigned number)
{
    for (size_t i = 0; i < body->temporaries.count; i++)
        if (LLVMGetAllocatedType(body->temporaries.items[i]) == type && number-- == 0)
            return body->temporaries.items[i];
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(body->unit->context);
    LLVMPositionBuilderBefore(builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(body->function)));
    LLVMValueRef memory = LLVMBuildAlloca(builder, type, "");
    LLVMDisposeBuilder(builder);
    ser_vector_push(&body->temporaries, memory);
    return memory;
}

LLVMValueRef ser_size(const ser_unit *unit, uint64_t bytes)
{
    return LLVMConstInt(unit->i64, bytes, false);
}

void ser_replace(LLVMValueRef instruction, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(instruction, value);
    LLVMInstructionEraseFromParent(instruction);
}

void ser_rewrite_load(ser_body *body, LLVMValueRef load, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef address = LLVMGetOperand(load, 0), value;
    unsigned width = ser_value_width(unit, type);
    LLVMPositionBuilderBefore(unit->builder, load);
    if (width) {
        char name[] = "__seriatim_loadN";
        name[sizeof name - 2] = (char)('0' + width);
        value = ser_from_number(unit, SER_CALL(unit, name, address, site), type);
    } else {
        LLVMValueRef memory = ser_temporary(body, type, 0);
        SER_CALL(unit, "__seriatim_load_n", address, memory,
                 ser_size(unit, LLVMStoreSizeOfType(unit->layout, type)), site);
        value = LLVMBuildLoad2(unit->builder, type, memory, "");
    }
    ser_replace(load, value);
}

void ser_rewrite_store(ser_body *body, LLVMValueRef store, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = ser_value_width(unit, type);
    LLVMPositionBuilderBefore(unit->builder, store);
    if (width) {
        char name[] = "__seriatim_storeN";
        name[sizeof name - 2] = (char)('0' + width);
        SER_CALL(unit, name, address, ser_to_number(unit, value), site);
    } else {
        LLVMValueRef memory = ser_temporary(body, type, 0);
        LLVMBuildStore(unit->builder, value, memory);
        SER_CALL(unit, "__seriatim_store_n", address, memory,
                 ser_size(unit, LLVMStoreSizeOfType(unit->layout, type)), site);
    }
    LLVMInstructionEraseFromParent(store);
}
