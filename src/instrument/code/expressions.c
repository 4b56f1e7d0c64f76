/* SPDX-License-Identifier: MIT */
/* From a value back to the loads that it is computed from, as postfix (contract/guards.def). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "instrument/code/choices.h"
#include "instrument/code/followed.h"
#include "instrument/code/locals.h"
#include "instrument/code/operations.h"
#include "instrument/code/steady.h"
#include "instrument/guards/carried.h"
#include "instrument/instrument.h"

enum { DEEPEST = 24 };

bool ser_expression_write(ser_expression *to, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof to->text - to->length;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->length, room, format, arguments);
    va_end(arguments);
    to->length += (size_t)length;
    return (size_t)length < room;
}

static const char *comma(const ser_expression *to)
{
    return to->length ? "," : "";
}

static bool express_parameter(ser_expression *to, const ser_followed *followed,
                              LLVMValueRef parameter)
{
    if (LLVMGetParamParent(parameter) != followed->function ||
        ser_number_width(followed->unit, LLVMTypeOf(parameter)) == 0)
        return false;
    char letter = ser_operands_letter(&to->operands, parameter);
    return letter && ser_expression_write(to, "%s%c", comma(to), letter);
}

static bool express_read(ser_expression *to, const ser_followed *followed, LLVMValueRef read)
{
    uint64_t key = ser_followed_key(followed, read);
    to->loads++;
    return key && ser_expression_write(to, "%s@%" PRIu64, comma(to), key);
}

static bool express_cast(ser_expression *to, const ser_followed *followed, LLVMValueRef cast)
{
    LLVMValueRef value = LLVMGetOperand(cast, 0);
    unsigned from = ser_scalar_width(followed->unit, LLVMTypeOf(value));
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(cast));
    if (!from || !width || ser_promises_more(cast) || !ser_express_part(to, followed, value))
        return false;
    if (LLVMGetInstructionOpcode(cast) == LLVMSExt)
        return ser_expression_write(to, width < 64 ? ",sext%u,trunc%u" : ",sext%u", from, width);
    return width >= from || ser_expression_write(to, ",trunc%u", width);
}

/* Between whole numbers and those with a point, and between the two kinds of these. */
static bool express_conversion(ser_expression *to, const ser_followed *followed, LLVMValueRef cast)
{
    LLVMValueRef value = LLVMGetOperand(cast, 0);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(cast);
    unsigned from = ser_scalar_width(followed->unit, LLVMTypeOf(value));
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(cast));
    if (!from || !width || ser_promises_more(cast) || !ser_express_part(to, followed, value))
        return false;
    switch (opcode) {
    case LLVMSIToFP:
        return ser_expression_write(to, from < 64 ? ",sext%u" : "", from) &&
               ser_expression_write(to, ",sif%u", width);
    case LLVMUIToFP:
        return ser_expression_write(to, ",uif%u", width);
    case LLVMFPExt:
        return ser_expression_write(to, ",fext%u", from);
    case LLVMFPTrunc:
        return ser_expression_write(to, ",fcut%u", from);
    default:
        return (width == 32 || width == 64) &&
               ser_expression_write(to, ",f%c%c%u", opcode == LLVMFPToSI ? 's' : 'u',
                                    width == 32 ? 'w' : 'l', from);
    }
}

/* The other sign. */
static bool express_negation(ser_expression *to, const ser_followed *followed, LLVMValueRef value)
{
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(value));
    return width && !ser_promises_more(value) &&
           ser_express_part(to, followed, LLVMGetOperand(value, 0)) &&
           ser_expression_write(to, ",%" PRIu64 ",xor%u", UINT64_C(1) << (width - 1), width);
}

static bool express_operation(ser_expression *to, const ser_followed *followed,
                              LLVMValueRef instruction)
{
    const char *name = ser_operation_name(instruction);
    if (!name || LLVMGetNumOperands(instruction) != 2)
        return false;
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(left));
    return width && ser_express_part(to, followed, left) && ser_express_part(to, followed, right) &&
           ser_expression_write(to, ",%s%u", name, width);
}

/* The condition is written first; what is chosen from must not be computed to be chosen. */
static bool express_choice(ser_expression *to, const ser_followed *followed, LLVMValueRef select)
{
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(select));
    for (unsigned i = 0; i < 3; i++)
        if (!width || !ser_scalar_width(followed->unit, LLVMTypeOf(LLVMGetOperand(select, i))) ||
            !ser_express_part(to, followed, LLVMGetOperand(select, i)))
            return false;
    return ser_expression_write(to, ",sel%u", width);
}

/* One of two values, by a branch right before. */
static bool express_chosen(ser_expression *to, const ser_followed *followed, LLVMTypeRef type,
                           const ser_choice *choice)
{
    unsigned width = ser_scalar_width(followed->unit, type);
    return width && ser_express_part(to, followed, choice->condition) &&
           ser_express_part(to, followed, choice->values[0]) &&
           ser_express_part(to, followed, choice->values[1]) &&
           ser_expression_write(to, ",sel%u", width);
}

static bool express_phi(ser_expression *to, const ser_followed *followed, LLVMValueRef phi)
{
    ser_choice choice;
    return ser_choice_of_phi(phi, &choice) &&
           express_chosen(to, followed, LLVMTypeOf(phi), &choice);
}

/* A local has the value that was stored last, if there is one place where that was,
 * or two of which a branch chooses. */
static bool express_load(ser_expression *to, const ser_followed *followed, LLVMValueRef load)
{
    LLVMValueRef local = LLVMIsAAllocaInst(LLVMGetOperand(load, 0));
    if (local) {
        LLVMValueRef store = ser_store_before(load);
        ser_choice choice;
        if (store)
            return ser_express_part(to, followed, LLVMGetOperand(store, 0));
        return ser_choice_of_local(load, &choice) &&
               express_chosen(to, followed, LLVMTypeOf(load), &choice);
    }
    return express_read(to, followed, load);
}

/* How a call chooses the larger or smaller of two numbers; NULL if it is another one. */
static const char *comparison_of(LLVMValueRef call)
{
    static const struct {
        const char *begins, *compares;
    } extremes[] = {
        {"llvm.smax.", "sgt"}, {"llvm.smin.", "slt"}, {"llvm.umax.", "ugt"}, {"llvm.umin.", "ult"}};
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
        if (ser_starts_with(ser_called_name(call), extremes[i].begins))
            return extremes[i].compares;
    return NULL;
}

static bool is_absolute(LLVMValueRef call)
{
    static const char *const library[] = {"abs", "labs", "llabs"};
    LLVMValueRef callee = ser_called_function(call);
    for (size_t i = 0; callee && LLVMIsDeclaration(callee) && i < 3; i++)
        if (strcmp(ser_called_name(call), library[i]) == 0)
            return true;
    return ser_starts_with(ser_called_name(call), "llvm.abs.");
}

/* A product and a sum, which may be rounded once only where the machine can do that. */
static bool is_product_and_sum(LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMAttributeRef features = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "target-features", 15);
    unsigned length = 0;
    const char *text = features ? LLVMGetStringAttributeValue(features, &length) : "";
    return ser_starts_with(ser_called_name(call), "llvm.fmuladd.") && length > 0 &&
           strstr(text, "+sse2") && !strstr(text, "+fma");
}

bool ser_is_extreme(LLVMValueRef call)
{
    return comparison_of(call) != NULL || is_absolute(call) || is_product_and_sum(call);
}

static bool express_product_and_sum(ser_expression *to, const ser_followed *followed,
                                    LLVMValueRef call)
{
    unsigned width = ser_scalar_width(followed->unit, LLVMTypeOf(call));
    return width && !ser_promises_more(call) &&
           ser_express_part(to, followed, LLVMGetOperand(call, 0)) &&
           ser_express_part(to, followed, LLVMGetOperand(call, 1)) &&
           ser_expression_write(to, ",fmul%u", width) &&
           ser_express_part(to, followed, LLVMGetOperand(call, 2)) &&
           ser_expression_write(to, ",fadd%u", width);
}

/* x < 0 ? 0 - x : x, without a result where that overflows. */
static bool express_absolute(ser_expression *to, const ser_followed *followed, LLVMValueRef call)
{
    unsigned width = ser_number_width(followed->unit, LLVMTypeOf(call));
    LLVMValueRef value = LLVMGetOperand(call, 0);
    return width && ser_express_part(to, followed, value) &&
           ser_expression_write(to, ",0,slt%u,0", width) && ser_express_part(to, followed, value) &&
           ser_expression_write(to, ",sub%u", width) && ser_express_part(to, followed, value) &&
           ser_expression_write(to, ",sel%u", width);
}

static bool express_extreme(ser_expression *to, const ser_followed *followed, LLVMValueRef call)
{
    const char *compares = comparison_of(call);
    if (is_absolute(call))
        return express_absolute(to, followed, call);
    if (is_product_and_sum(call))
        return express_product_and_sum(to, followed, call);
    unsigned width = compares ? ser_number_width(followed->unit, LLVMTypeOf(call)) : 0;
    if (!width)
        return false;
    LLVMValueRef left = LLVMGetOperand(call, 0), right = LLVMGetOperand(call, 1);
    return ser_express_part(to, followed, left) && ser_express_part(to, followed, right) &&
           ser_expression_write(to, ",%s%u", compares, width) &&
           ser_express_part(to, followed, left) && ser_express_part(to, followed, right) &&
           ser_expression_write(to, ",sel%u", width);
}

static bool express_instruction(ser_expression *to, const ser_followed *followed,
                                LLVMValueRef instruction)
{
    if (ser_is_cast(instruction))
        return express_cast(to, followed, instruction);
    if (ser_converts(instruction))
        return express_conversion(to, followed, instruction);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return express_load(to, followed, instruction);
    case LLVMAtomicRMW:
        return express_read(to, followed, instruction);
    case LLVMSelect:
        return express_choice(to, followed, instruction);
    case LLVMPHI:
        return express_phi(to, followed, instruction);
    case LLVMCall:
        return express_extreme(to, followed, instruction);
    case LLVMFreeze:
        return ser_express_part(to, followed, LLVMGetOperand(instruction, 0));
    case LLVMFNeg:
        return express_negation(to, followed, instruction);
    default:
        return express_operation(to, followed, instruction);
    }
}

/* What cannot be taken apart further may still be a number that is known before the access. */
static bool express_as_operand(ser_expression *to, const ser_followed *followed, LLVMValueRef value)
{
    LLVMValueRef steady =
        to->access && !to->is_late ? ser_find_steady(followed, value, to->access) : NULL;
    char letter = steady ? ser_operands_letter(&to->operands, steady) : 0;
    return letter && ser_expression_write(to, "%s%c", comma(to), letter);
}

bool ser_express_part(ser_expression *to, const ser_followed *followed, LLVMValueRef value)
{
    uint64_t constant;
    bool good = false;
    const ser_carried *carried = ser_carried_of(followed, value);
    const ser_expression before = *to;
    if (to->depth++ >= DEEPEST)
        return false;
    if (carried && !(carried == to->sets && carried->step == value))
        good = ser_express_carried(to, followed, carried, value);
    else if (ser_is_constant(followed->unit, value, &constant))
        good = ser_expression_write(to, "%s%" PRIu64, comma(to), constant);
    else if (LLVMIsAArgument(value))
        good = express_parameter(to, followed, value);
    else if (LLVMIsAInstruction(value))
        good = express_instruction(to, followed, value);
    if (!good) {
        *to = before;
        return express_as_operand(to, followed, value);
    }
    to->depth--;
    return good;
}

static ser_expression begin(LLVMValueRef access, const ser_operands *operands)
{
    ser_expression none = {.access = access};
    if (operands)
        none.operands = *operands;
    return none;
}

bool ser_express(ser_expression *expression, const ser_followed *followed, LLVMValueRef value,
                 LLVMValueRef access, const ser_operands *operands)
{
    *expression = begin(access, operands);
    return ser_express_part(expression, followed, value) && expression->loads > 0;
}

bool ser_express_late(ser_expression *expression, const ser_followed *followed, LLVMValueRef value,
                      LLVMValueRef access, const ser_operands *operands)
{
    *expression = begin(access, operands);
    expression->is_late = true;
    return ser_express_part(expression, followed, value) && expression->loads > 0;
}

bool ser_express_operand(ser_expression *expression, const ser_followed *followed,
                         LLVMValueRef value, LLVMValueRef access, const ser_operands *operands)
{
    *expression = begin(access, operands);
    return ser_express_part(expression, followed, value) && expression->loads == 0;
}

/* NULL: an operation that has no name. */
static const char *update_name(LLVMValueRef update)
{
    switch (LLVMGetAtomicRMWBinOp(update)) {
    case LLVMAtomicRMWBinOpAdd:
        return "wadd";
    case LLVMAtomicRMWBinOpSub:
        return "wsub";
    case LLVMAtomicRMWBinOpAnd:
        return "and";
    case LLVMAtomicRMWBinOpOr:
        return "or";
    case LLVMAtomicRMWBinOpXor:
        return "xor";
    default:
        return NULL;
    }
}

bool ser_express_update(ser_expression *expression, const ser_followed *followed,
                        LLVMValueRef update, const ser_operands *operands)
{
    const char *name = update_name(update);
    LLVMValueRef operand = LLVMGetOperand(update, 1);
    unsigned width = ser_number_width(followed->unit, LLVMTypeOf(operand));
    *expression = begin(update, operands);
    if (!width)
        return false;
    if (LLVMGetAtomicRMWBinOp(update) == LLVMAtomicRMWBinOpXchg)
        return ser_express_part(expression, followed, operand);
    return name && ser_expression_write(expression, "v") &&
           ser_express_part(expression, followed, operand) &&
           ser_expression_write(expression, ",%s%u", name, width);
}
