/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations. The runtime is sequentially consistent, so that orders need
 * not be passed on, and strong where a weak compare-exchange may fail.
 *
 * A read-modify-write that the ABI does not know becomes a loop of
 * compare-exchanges. LLVM-C cannot split blocks, so the loop is a function of its
 * own, which clang inlines; it applies the operation to a private copy.
 */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "instrument/accesses/body.h"

enum { LAST_KIND_OF_ABI = LLVMAtomicRMWBinOpUMin };

static LLVMValueRef call_sized(ser_unit *unit, const char *what, unsigned width,
                               LLVMValueRef *arguments, unsigned count)
{
    char name[64];
    snprintf(name, sizeof name, "__seriatim_atomic_%s%u", what, width);
    return ser_unit_call(unit, name, arguments, count);
}

/* The guard of a static local variable of C++. */
static bool is_guard(LLVMValueRef address)
{
    while (LLVMIsAConstantExpr(address) && (LLVMGetConstOpcode(address) == LLVMBitCast ||
                                            LLVMGetConstOpcode(address) == LLVMGetElementPtr))
        address = LLVMGetOperand(address, 0);
    size_t length;
    return LLVMIsAGlobalVariable(address) &&
           ser_starts_with(LLVMGetValueName2(address, &length), "_ZGV");
}

static void rewrite_load(ser_body *body, LLVMValueRef load, unsigned width, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef address = LLVMGetOperand(load, 0), value;
    if (width) {
        LLVMValueRef arguments[] = {address, site};
        LLVMValueRef number = width == 1 && is_guard(address)
                                  ? ser_unit_call(unit, "__seriatim_guard_load", arguments, 2)
                                  : call_sized(unit, "load", width, arguments, 2);
        value = ser_from_number(unit, number, type);
    } else {
        LLVMValueRef memory = ser_temporary(body, type, 0);
        SER_CALL(unit, "__seriatim_atomic_load16", address, memory, site);
        value = LLVMBuildLoad2(unit->builder, type, memory, "");
    }
    ser_replace(load, value);
}

static void rewrite_store(ser_body *body, LLVMValueRef store, unsigned width, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    if (width) {
        LLVMValueRef arguments[] = {address, ser_to_number(unit, value), site};
        call_sized(unit, "store", width, arguments, 3);
    } else {
        LLVMValueRef memory = ser_temporary(body, LLVMTypeOf(value), 0);
        LLVMBuildStore(unit->builder, value, memory);
        SER_CALL(unit, "__seriatim_atomic_store16", address, memory, site);
    }
    LLVMInstructionEraseFromParent(store);
}

/* {old value, was it equal} as the instruction gives it. */
static LLVMValueRef make_pair(ser_unit *unit, LLVMTypeRef type, LLVMValueRef old,
                              LLVMValueRef equal)
{
    LLVMValueRef pair = LLVMBuildInsertValue(unit->builder, LLVMGetUndef(type), old, 0, "");
    return LLVMBuildInsertValue(unit->builder, pair, equal, 1, "");
}

static void rewrite_exchange_if(ser_body *body, LLVMValueRef access, unsigned width,
                                LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMValueRef address = LLVMGetOperand(access, 0), expected = LLVMGetOperand(access, 1),
                 desired = LLVMGetOperand(access, 2), old, equal;
    LLVMTypeRef type = LLVMTypeOf(expected);
    if (width) {
        expected = ser_to_number(unit, expected);
        LLVMValueRef arguments[] = {address, expected, ser_to_number(unit, desired), site};
        LLVMValueRef number = call_sized(unit, "compare_exchange", width, arguments, 4);
        equal = LLVMBuildICmp(unit->builder, LLVMIntEQ, number, expected, "");
        old = ser_from_number(unit, number, type);
    } else {
        LLVMValueRef first = ser_temporary(body, type, 0), second = ser_temporary(body, type, 1);
        LLVMBuildStore(unit->builder, expected, first);
        LLVMBuildStore(unit->builder, desired, second);
        LLVMValueRef stored =
            SER_CALL(unit, "__seriatim_atomic_compare_exchange16", address, first, second, site);
        equal = LLVMBuildICmp(unit->builder, LLVMIntNE, stored, LLVMConstNull(unit->i32), "");
        old = LLVMBuildLoad2(unit->builder, type, first, "");
    }
    ser_replace(access, make_pair(unit, LLVMTypeOf(access), old, equal));
}

/* The operation of `access` on a private copy of `value`: what it makes of it. */
static LLVMValueRef compute(ser_unit *unit, LLVMValueRef access, LLVMValueRef copy,
                            LLVMValueRef value, LLVMValueRef operand)
{
    LLVMBuildStore(unit->builder, value, copy);
    LLVMValueRef operation = LLVMInstructionClone(access);
    LLVMSetOperand(operation, 0, copy);
    LLVMSetOperand(operation, 1, operand);
    LLVMInsertIntoBuilder(unit->builder, operation);
    LLVMInstructionSetDebugLoc(operation, NULL);
    return LLVMBuildLoad2(unit->builder, LLVMTypeOf(value), copy, "");
}

static LLVMValueRef build_exchange(ser_unit *unit, LLVMValueRef address, LLVMValueRef expected,
                                   LLVMValueRef desired)
{
    const LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    if (ser_value_width(unit, LLVMTypeOf(expected))) {
        expected = ser_to_number(unit, expected);
        desired = ser_to_number(unit, desired);
    }
    address = LLVMBuildBitCast(unit->builder, address, LLVMPointerType(LLVMTypeOf(desired), 0), "");
    return LLVMBuildAtomicCmpXchg(unit->builder, address, expected, desired, order, order, false);
}

/* The loop: reads, computes on a copy, tries to exchange. It is written with plain
 * instructions, which are then rewritten as those of the program are. */
static void fill_helper(ser_body *body, LLVMValueRef helper, LLVMValueRef access)
{
    ser_unit *unit = body->unit;
    LLVMTypeRef type = LLVMTypeOf(access);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(unit->context, helper, ""),
                      loop = LLVMAppendBasicBlockInContext(unit->context, helper, ""),
                      done = LLVMAppendBasicBlockInContext(unit->context, helper, "");
    LLVMValueRef address = LLVMGetParam(helper, 0), site = LLVMGetParam(helper, 2);
    LLVMPositionBuilderAtEnd(unit->builder, entry);
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMValueRef copy = LLVMBuildAlloca(unit->builder, type, "");
    LLVMBuildBr(unit->builder, loop);

    LLVMPositionBuilderAtEnd(unit->builder, loop);
    LLVMValueRef old = LLVMBuildLoad2(unit->builder, type, address, "");
    LLVMValueRef made = compute(unit, access, copy, old, LLVMGetParam(helper, 1));
    LLVMValueRef exchange = build_exchange(unit, address, old, made);
    LLVMValueRef equal = LLVMBuildExtractValue(unit->builder, exchange, 1, "");
    LLVMBuildCondBr(unit->builder, equal, done, loop);
    LLVMPositionBuilderAtEnd(unit->builder, done);
    LLVMBuildRet(unit->builder, old);

    ser_body inner = {.unit = unit, .locality = body->locality, .function = helper};
    ser_rewrite_atomic(&inner, exchange, site);
    ser_rewrite_atomic(&inner, old, site);
    ser_vector_free(&inner.temporaries);
}

static void rewrite_as_loop(ser_body *body, LLVMValueRef access, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMTypeRef type = LLVMTypeOf(access);
    LLVMValueRef arguments[] = {LLVMGetOperand(access, 0), LLVMGetOperand(access, 1), site};
    LLVMTypeRef parameters[] = {LLVMTypeOf(arguments[0]), type, LLVMTypeOf(site)};
    LLVMTypeRef shape = LLVMFunctionType(type, parameters, 3, false);
    LLVMValueRef helper = LLVMAddFunction(unit->module, "__seriatim_rmw", shape);
    LLVMSetLinkage(helper, LLVMPrivateLinkage);
    fill_helper(body, helper, access);
    LLVMPositionBuilderBefore(unit->builder, access);
    ser_replace(access, LLVMBuildCall2(unit->builder, shape, helper, arguments, 3, ""));
}

bool ser_is_update_of_abi(const ser_unit *unit, LLVMValueRef access)
{
    LLVMAtomicRMWBinOp kind = LLVMGetAtomicRMWBinOp(access);
    bool fits = ser_value_width(unit, LLVMTypeOf(access)) && (int)kind <= LAST_KIND_OF_ABI;
    return fits || kind == LLVMAtomicRMWBinOpXchg;
}

static void rewrite_modify(ser_body *body, LLVMValueRef access, unsigned width, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    LLVMAtomicRMWBinOp kind = LLVMGetAtomicRMWBinOp(access);
    LLVMTypeRef type = LLVMTypeOf(access);
    LLVMValueRef address = LLVMGetOperand(access, 0), operand = LLVMGetOperand(access, 1);
    if (width && (int)kind <= LAST_KIND_OF_ABI) {
        LLVMValueRef arguments[] = {address, ser_to_number(unit, operand),
                                    LLVMConstInt(unit->i32, kind, false), site};
        LLVMValueRef old = call_sized(unit, "rmw", width, arguments, 4);
        ser_replace(access, ser_from_number(unit, old, type));
    } else if (kind == LLVMAtomicRMWBinOpXchg) {
        LLVMValueRef first = ser_temporary(body, type, 0), second = ser_temporary(body, type, 1);
        LLVMBuildStore(unit->builder, operand, first);
        SER_CALL(unit, "__seriatim_atomic_exchange16", address, first, second, site);
        ser_replace(access, LLVMBuildLoad2(unit->builder, type, second, ""));
    } else {
        rewrite_as_loop(body, access, site);
    }
}

void ser_rewrite_atomic(ser_body *body, LLVMValueRef access, LLVMValueRef site)
{
    LLVMPositionBuilderBefore(body->unit->builder, access);
    LLVMTypeRef type = LLVMTypeOf(access);
    if (LLVMIsAStoreInst(access))
        type = LLVMTypeOf(LLVMGetOperand(access, 0));
    else if (LLVMIsAAtomicCmpXchgInst(access))
        type = LLVMTypeOf(LLVMGetOperand(access, 1));
    unsigned width = ser_value_width(body->unit, type);
    if (LLVMIsALoadInst(access))
        rewrite_load(body, access, width, site);
    else if (LLVMIsAStoreInst(access))
        rewrite_store(body, access, width, site);
    else if (LLVMIsAAtomicCmpXchgInst(access))
        rewrite_exchange_if(body, access, width, site);
    else
        rewrite_modify(body, access, width, site);
}
