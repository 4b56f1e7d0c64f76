/* SPDX-License-Identifier: MIT */
/*
 * Records the accesses of functions of the C library (library.h): what is read before the call,
 * what is written after it. LLVM-C cannot split blocks, so conditions are selects: with a size of 0
 * nothing is recorded.
 */
#include <poll.h>

#include "instrument/accesses/body.h"
#include "instrument/accesses/library.h"

typedef struct occasion {
    ser_unit *unit;
    LLVMValueRef call, site;
    LLVMValueRef pointer, size; /* what is accessed; NULL as long as unknown */
} occasion;

static LLVMValueRef widen(ser_unit *unit, LLVMValueRef number, bool is_signed)
{
    return LLVMBuildIntCast2(unit->builder, number, unit->i64, is_signed, "");
}

static LLVMValueRef smaller(ser_unit *unit, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef is = LLVMBuildICmp(unit->builder, LLVMIntULT, a, b, "");
    return LLVMBuildSelect(unit->builder, is, a, b, "");
}

static LLVMValueRef call_function(ser_unit *unit, const char *name, LLVMValueRef *arguments,
                                  LLVMTypeRef *types, unsigned count)
{
    LLVMTypeRef type = LLVMFunctionType(unit->i64, types, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (!function)
        function = LLVMAddFunction(unit->module, name, type);
    LLVMValueRef pointer = LLVMConstBitCast(function, LLVMPointerType(type, 0));
    return LLVMBuildCall2(unit->builder, type, pointer, arguments, count, "");
}

static LLVMValueRef measure_string(ser_unit *unit, LLVMValueRef string)
{
    LLVMValueRef pointer = LLVMBuildBitCast(unit->builder, string, unit->pointer, "");
    return call_function(unit, "strlen", &pointer, &unit->pointer, 1);
}

static LLVMValueRef with_end(ser_unit *unit, LLVMValueRef length)
{
    return LLVMBuildAdd(unit->builder, length, ser_size(unit, 1), "");
}

static LLVMValueRef bounded_length(ser_unit *unit, LLVMValueRef string, LLVMValueRef bound)
{
    LLVMValueRef arguments[] = {LLVMBuildBitCast(unit->builder, string, unit->pointer, ""), bound};
    LLVMTypeRef types[] = {unit->pointer, unit->i64};
    return call_function(unit, "strnlen", arguments, types, 2);
}

static LLVMValueRef measure_bounded(ser_unit *unit, LLVMValueRef string, LLVMValueRef bound)
{
    return smaller(unit, with_end(unit, bounded_length(unit, string, bound)), bound);
}

/* A size if a condition holds, else 0. */
static LLVMValueRef only_if(ser_unit *unit, LLVMValueRef condition, LLVMValueRef size)
{
    return LLVMBuildSelect(unit->builder, condition, size, ser_size(unit, 0), "");
}

/* A size that can be known before the call, else NULL. */
static LLVMValueRef size_before(const occasion *where, const ser_effect *effect)
{
    ser_unit *unit = where->unit;
    if (effect->measure == SER_SIZE_CONSTANT) {
        LLVMValueRef there = LLVMBuildIsNotNull(unit->builder, where->pointer, "");
        return only_if(unit, there, ser_size(unit, effect->argument));
    }
    LLVMValueRef argument = LLVMGetOperand(where->call, effect->argument);
    switch (effect->measure) {
    case SER_SIZE_ARGUMENT:
        return widen(unit, argument, false);
    case SER_SIZE_PRODUCT: {
        LLVMValueRef next = LLVMGetOperand(where->call, effect->argument + 1U);
        return LLVMBuildMul(unit->builder, widen(unit, argument, false), widen(unit, next, false),
                            "");
    }
    case SER_SIZE_POLLED:
        return LLVMBuildMul(unit->builder, widen(unit, argument, false),
                            ser_size(unit, sizeof(struct pollfd)), "");
    case SER_SIZE_STRING:
        return with_end(unit, measure_string(unit, argument));
    case SER_SIZE_BOUNDED:
        return measure_bounded(unit, LLVMGetOperand(where->call, effect->pointer),
                               widen(unit, argument, false));
    case SER_SIZE_APPENDED:
        return with_end(unit, bounded_length(unit, LLVMGetOperand(where->call, 1),
                                             widen(unit, argument, false)));
    default:
        return NULL;
    }
}

/* The bound may be NULL. */
static LLVMValueRef size_of_printed(ser_unit *unit, LLVMValueRef result, LLVMValueRef bound)
{
    LLVMValueRef length = widen(unit, result, true), size = with_end(unit, length);
    LLVMValueRef good = LLVMBuildICmp(unit->builder, LLVMIntSGE, length, ser_size(unit, 0), "");
    return only_if(unit, good, bound ? smaller(unit, size, bound) : size);
}

/* A string that is there only under a condition: else the empty one is measured. */
static LLVMValueRef size_of_string_if(ser_unit *unit, LLVMValueRef condition, LLVMValueRef string)
{
    LLVMValueRef pointer = LLVMBuildBitCast(unit->builder, string, unit->pointer, "");
    LLVMValueRef sure =
        LLVMBuildSelect(unit->builder, condition, pointer, ser_unit_text(unit, ""), "");
    return only_if(unit, condition, with_end(unit, measure_string(unit, sure)));
}

static LLVMValueRef distance(ser_unit *unit, LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef start = LLVMBuildPtrToInt(unit->builder, from, unit->i64, "");
    LLVMValueRef end = LLVMBuildPtrToInt(unit->builder, to, unit->i64, "");
    return with_end(unit, LLVMBuildSub(unit->builder, end, start, ""));
}

static LLVMValueRef size_after(const occasion *where, const ser_effect *effect,
                               LLVMValueRef pointer)
{
    ser_unit *unit = where->unit;
    LLVMBuilderRef builder = unit->builder;
    LLVMValueRef result = where->call, argument = LLVMGetOperand(where->call, effect->argument);
    if (effect->measure == SER_SIZE_RESULT_PARTS)
        return LLVMBuildMul(builder, widen(unit, result, false), widen(unit, argument, false), "");
    if (effect->measure == SER_SIZE_ALL_PRINTED)
        return size_of_printed(unit, result, NULL);
    if (effect->measure == SER_SIZE_PRINTED)
        return size_of_printed(unit, result, widen(unit, argument, false));
    if (effect->measure == SER_SIZE_RESULT) {
        LLVMValueRef size = widen(unit, result, true);
        return only_if(unit, LLVMBuildICmp(builder, LLVMIntSGT, size, ser_size(unit, 0), ""), size);
    }
    LLVMValueRef missing = LLVMBuildIsNull(builder, result, "");
    LLVMValueRef there = LLVMBuildNot(builder, missing, "");
    if (effect->measure == SER_SIZE_FILLED)
        return size_of_string_if(unit, there, pointer);
    LLVMValueRef rest = effect->measure == SER_SIZE_FOUND
                            ? widen(unit, argument, false)
                            : size_of_string_if(unit, missing, pointer);
    return LLVMBuildSelect(builder, missing, rest, distance(unit, pointer, result), "");
}

/* What is appended to a string begins where its end was before. */
static LLVMValueRef find_end(ser_unit *unit, LLVMValueRef string)
{
    LLVMValueRef length = measure_string(unit, string);
    LLVMValueRef start = LLVMBuildBitCast(unit->builder, string, unit->pointer, "");
    return LLVMBuildGEP2(unit->builder, unit->i8, start, &length, 1, "");
}

static LLVMValueRef find_pointer(const occasion *where, const ser_effect *effect)
{
    if (effect->pointer == SER_TO_RESULT)
        return where->call;
    if (effect->pointer == SER_TO_END)
        return find_end(where->unit, LLVMGetOperand(where->call, 0));
    return LLVMGetOperand(where->call, effect->pointer);
}

static void record_effect(const occasion *where, const ser_effect *effect)
{
    ser_unit *unit = where->unit;
    LLVMValueRef size = where->size;
    if (effect->pointer == SER_TO_RESULT)
        size = LLVMBuildSelect(unit->builder, LLVMBuildIsNull(unit->builder, where->pointer, ""),
                               ser_size(unit, 0), size, "");
    SER_CALL(unit, effect->kind == 'r' ? "__seriatim_range_read" : "__seriatim_range_written",
             where->pointer, size, where->site);
}

/* The place after the call; NULL if other paths lead there, too. */
LLVMValueRef ser_place_after(LLVMValueRef call)
{
    if (!LLVMIsAInvokeInst(call))
        return LLVMGetNextInstruction(call);
    LLVMBasicBlockRef block = LLVMGetNormalDest(call);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return use && !LLVMGetNextUse(use) && !LLVMIsAPHINode(first) ? first : NULL;
}

static void record_after(occasion *where, const ser_effect *effect)
{
    LLVMValueRef place = ser_must_tail(where->call) ? NULL : ser_place_after(where->call);
    if (!place)
        return;
    LLVMPositionBuilderBefore(where->unit->builder, place);
    if (!where->size)
        where->size = size_after(where, effect, where->pointer);
    record_effect(where, effect);
}

void ser_tell_effect(ser_unit *unit, LLVMValueRef call, const ser_effect *effect, LLVMValueRef site)
{
    LLVMPositionBuilderBefore(unit->builder, call);
    occasion where = {.unit = unit, .call = call, .site = site};
    where.pointer = find_pointer(&where, effect);
    where.size = size_before(&where, effect);
    if (where.size && effect->kind == 'r')
        record_effect(&where, effect);
    else
        record_after(&where, effect);
}
