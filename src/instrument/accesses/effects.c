/* SPDX-License-Identifier: MIT */
/*
 * Records the accesses of functions of the C library (library.h): what is read before the call,
 * what is written after it. LLVM-C cannot split blocks, so conditions are selects: with a size of 0
 * nothing is recorded.
 */
#include "instrument/accesses/body.h"
#include "instrument/accesses/library/library.h"

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

static LLVMValueRef measure(ser_unit *unit, const char *by, LLVMValueRef string)
{
    LLVMValueRef pointer = LLVMBuildBitCast(unit->builder, string, unit->pointer, "");
    return call_function(unit, by, &pointer, &unit->pointer, 1);
}

static LLVMValueRef measure_string(ser_unit *unit, LLVMValueRef string)
{
    return measure(unit, "strlen", string);
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

/* A string that is there only under a condition: else the empty one is measured. */
static LLVMValueRef string_if(ser_unit *unit, LLVMValueRef condition, LLVMValueRef string)
{
    LLVMValueRef pointer = LLVMBuildBitCast(unit->builder, string, unit->pointer, "");
    return LLVMBuildSelect(unit->builder, condition, pointer, ser_unit_text(unit, ""), "");
}

static LLVMValueRef size_of_string_if(ser_unit *unit, LLVMValueRef condition, LLVMValueRef string)
{
    LLVMValueRef sure = string_if(unit, condition, string);
    return only_if(unit, condition, with_end(unit, measure_string(unit, sure)));
}

/* Of a string that is printed, which may be null. */
static LLVMValueRef size_of_printed_string(ser_unit *unit, LLVMValueRef string, LLVMValueRef bound)
{
    LLVMValueRef there = LLVMBuildIsNotNull(unit->builder, string, "");
    if (!bound)
        return size_of_string_if(unit, there, string);
    return only_if(unit, there, measure_bounded(unit, string_if(unit, there, string), bound));
}

static LLVMValueRef times(ser_unit *unit, LLVMValueRef number, size_t size)
{
    return LLVMBuildMul(unit->builder, number, ser_size(unit, size), "");
}

/* A size that can be known before the call, else NULL. */
static LLVMValueRef size_before(const occasion *where, const ser_effect *effect)
{
    ser_unit *unit = where->unit;
    if (effect->measure == SER_SIZE_CONSTANT && effect->pointer == SER_TO_RESULT)
        return ser_size(unit, effect->argument); /* whether there is one is known after the call */
    if (effect->measure == SER_SIZE_CONSTANT) {
        LLVMValueRef there = LLVMBuildIsNotNull(unit->builder, where->pointer, "");
        return only_if(unit, there, ser_size(unit, effect->argument));
    }
    if (effect->measure == SER_SIZE_AT_MOST)
        return size_of_printed_string(unit, where->pointer, ser_size(unit, effect->argument));
    if (effect->measure >= SER_SIZE_RESULT_TIMES && effect->measure != SER_SIZE_PRINTED_STRING)
        return NULL;
    LLVMValueRef argument = LLVMGetOperand(where->call, effect->argument);
    switch (effect->measure) {
    case SER_SIZE_ARGUMENT:
        return widen(unit, argument, false);
    case SER_SIZE_WIDE_ARGUMENT:
        return times(unit, widen(unit, argument, false), sizeof(L'a'));
    case SER_SIZE_WIDE:
        return times(unit, with_end(unit, measure(unit, "wcslen", argument)), sizeof(L'a'));
    case SER_SIZE_PRINTED_STRING:
        return size_of_printed_string(unit, argument, NULL);
    case SER_SIZE_PRODUCT: {
        LLVMValueRef next = LLVMGetOperand(where->call, effect->argument + 1U);
        return LLVMBuildMul(unit->builder, widen(unit, argument, false), widen(unit, next, false),
                            "");
    }
    case SER_SIZE_EIGHTS:
        return times(unit, widen(unit, argument, false), 8);
    case SER_SIZE_STRING:
        return with_end(unit, measure_string(unit, argument));
    case SER_SIZE_BOUNDED:
        return size_of_printed_string(unit, where->pointer, widen(unit, argument, false));
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

static LLVMValueRef distance(ser_unit *unit, LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef start = LLVMBuildPtrToInt(unit->builder, from, unit->i64, "");
    LLVMValueRef end = LLVMBuildPtrToInt(unit->builder, to, unit->i64, "");
    return with_end(unit, LLVMBuildSub(unit->builder, end, start, ""));
}

/* If the result is not below some number, or above 0 (1). */
static LLVMValueRef is_at_least(ser_unit *unit, LLVMValueRef result, unsigned number)
{
    return LLVMBuildICmp(unit->builder, LLVMIntSGE, widen(unit, result, true),
                         ser_size(unit, number), "");
}

/* The result is a number. */
static LLVMValueRef size_by_number(const occasion *where, const ser_effect *effect)
{
    ser_unit *unit = where->unit;
    LLVMValueRef result = where->call, size = widen(unit, result, true);
    switch (effect->measure) {
    case SER_SIZE_RESULT:
        return only_if(unit, is_at_least(unit, result, 1), size);
    case SER_SIZE_RESULT_TIMES:
        return only_if(unit, is_at_least(unit, result, 1), times(unit, size, effect->argument));
    case SER_SIZE_SCANNED:
        return only_if(unit, is_at_least(unit, result, effect->ordinal),
                       ser_size(unit, effect->argument));
    case SER_SIZE_SCANNED_STRING:
        return size_of_string_if(unit, is_at_least(unit, result, effect->ordinal), where->pointer);
    case SER_SIZE_SPANNED:
        return with_end(unit, size);
    case SER_SIZE_ALL_PRINTED:
        return size_of_printed(unit, result, NULL);
    default:
        return NULL;
    }
}

static LLVMValueRef size_after(const occasion *where, const ser_effect *effect,
                               LLVMValueRef pointer)
{
    ser_unit *unit = where->unit;
    LLVMBuilderRef builder = unit->builder;
    LLVMValueRef number = size_by_number(where, effect);
    if (number)
        return number;
    LLVMValueRef result = where->call, argument = LLVMGetOperand(where->call, effect->argument);
    if (effect->measure == SER_SIZE_RESULT_PARTS)
        return LLVMBuildMul(builder, widen(unit, result, false), widen(unit, argument, false), "");
    if (effect->measure == SER_SIZE_PRINTED)
        return size_of_printed(unit, result, widen(unit, argument, false));
    LLVMValueRef missing = LLVMBuildIsNull(builder, result, "");
    if (effect->measure == SER_SIZE_FILLED)
        return size_of_string_if(unit, LLVMBuildNot(builder, missing, ""), pointer);
    LLVMValueRef rest = effect->measure == SER_SIZE_SEARCHED
                            ? size_of_string_if(unit, missing, pointer)
                            : widen(unit, argument, false);
    LLVMValueRef reached =
        effect->measure == SER_SIZE_COPIED
            ? LLVMBuildSub(builder, distance(unit, LLVMGetOperand(where->call, 0), result),
                           ser_size(unit, 1), "")
            : distance(unit, pointer, result);
    return LLVMBuildSelect(builder, missing, rest, reached, "");
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

/* Memory that the library keeps: the runtime has a variable for it. */
static void tell_hidden(ser_unit *unit, LLVMValueRef call, const ser_effect *effect,
                        LLVMValueRef site)
{
    LLVMPositionBuilderBefore(unit->builder, call);
    SER_CALL(unit, "__seriatim_hidden", LLVMConstInt(unit->i32, effect->argument, false),
             LLVMConstInt(unit->i32, effect->kind == 'w', false), site);
}

/* What argument 0 points to, once the call has stored it there. */
static void load_target(occasion *where)
{
    ser_unit *unit = where->unit;
    where->pointer =
        LLVMBuildLoad2(unit->builder, unit->pointer, LLVMGetOperand(where->call, 0), "");
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
    if (effect->pointer == SER_TO_TARGET)
        load_target(where);
    if (!where->size)
        where->size = size_after(where, effect, where->pointer);
    record_effect(where, effect);
}

/* Where a msghdr has them, in bytes, on machines with 64 bits. */
enum { PARTS_OF_MESSAGE = 16, COUNT_OF_MESSAGE = 24 };

static LLVMValueRef load_word(ser_unit *unit, LLVMValueRef object, size_t offset, LLVMTypeRef type)
{
    LLVMValueRef bytes = LLVMBuildBitCast(unit->builder, object, unit->pointer, "");
    LLVMValueRef index = ser_size(unit, offset);
    LLVMValueRef place = LLVMBuildGEP2(unit->builder, unit->i8, bytes, &index, 1, "");
    place = LLVMBuildBitCast(unit->builder, place, LLVMPointerType(type, 0), "");
    return LLVMBuildLoad2(unit->builder, type, place, "");
}

/* Memory in several parts, which the runtime goes through. */
static void tell_parts(ser_unit *unit, LLVMValueRef call, const ser_effect *effect,
                       LLVMValueRef site)
{
    LLVMValueRef after = ser_must_tail(call) ? NULL : ser_place_after(call);
    if (effect->kind == 'w' && !after)
        return;
    LLVMPositionBuilderBefore(unit->builder, effect->kind == 'w' ? after : call);
    LLVMValueRef parts = LLVMGetOperand(call, effect->pointer), count;
    if (effect->measure == SER_SIZE_MESSAGE) {
        LLVMValueRef message = parts;
        parts = load_word(unit, message, PARTS_OF_MESSAGE, unit->pointer);
        count = load_word(unit, message, COUNT_OF_MESSAGE, unit->i64);
    } else {
        count = widen(unit, LLVMGetOperand(call, effect->argument), false);
    }
    if (effect->kind == 'r')
        SER_CALL(unit, "__seriatim_parts_read", parts, count, site);
    else
        SER_CALL(unit, "__seriatim_parts_written", parts, count, call, site);
}

/* Two words of a std::string: where its characters are, and how many. */
static void tell_string(ser_unit *unit, LLVMValueRef call, const ser_effect *effect,
                        LLVMValueRef site)
{
    LLVMValueRef after = ser_must_tail(call) ? NULL : ser_place_after(call);
    if (!after)
        return;
    LLVMPositionBuilderBefore(unit->builder, after);
    LLVMValueRef string = LLVMGetOperand(call, effect->argument);
    LLVMValueRef characters = load_word(unit, string, 0, unit->pointer);
    LLVMValueRef length = load_word(unit, string, sizeof(char *), unit->i64);
    SER_CALL(unit, "__seriatim_range_written", characters, with_end(unit, length), site);
}

void ser_tell_effect(ser_unit *unit, LLVMValueRef call, const ser_effect *effect, LLVMValueRef site)
{
    if (effect->pointer == SER_TO_HIDDEN) {
        tell_hidden(unit, call, effect, site);
        return;
    }
    if (effect->measure == SER_SIZE_HELD) {
        tell_string(unit, call, effect, site);
        return;
    }
    if (ser_effect_has_parts(effect)) {
        tell_parts(unit, call, effect, site);
        return;
    }
    LLVMPositionBuilderBefore(unit->builder, call);
    occasion where = {.unit = unit, .call = call, .site = site};
    if (effect->pointer != SER_TO_TARGET) {
        where.pointer = find_pointer(&where, effect);
        where.size = size_before(&where, effect);
    }
    if (where.size && effect->kind == 'r')
        record_effect(&where, effect);
    else
        record_after(&where, effect);
}
