/* SPDX-License-Identifier: MIT */
/* From a value back to the loads that it is computed from, as postfix (contract/guards.def). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "instrument/code/dominance.h"
#include "instrument/code/followed.h"
#include "instrument/code/locals.h"
#include "instrument/code/operations.h"
#include "instrument/instrument.h"

enum { DEEPEST = 12 };

static bool express(ser_expression *to, const ser_followed *followed, LLVMValueRef value);

static bool write_word(ser_expression *to, const char *format, ...)
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
        (to->operand && to->operand != parameter) ||
        ser_number_width(followed->unit, LLVMTypeOf(parameter)) == 0)
        return false;
    to->operand = parameter;
    return write_word(to, "%sp", comma(to));
}

/* A local has the value of its only store, if that comes first. */
static bool express_load(ser_expression *to, const ser_followed *followed, LLVMValueRef load)
{
    LLVMValueRef local = LLVMIsAAllocaInst(LLVMGetOperand(load, 0));
    if (local) {
        LLVMValueRef store = ser_only_store_of_local(local);
        return store && ser_dominates(store, load) &&
               express(to, followed, LLVMGetOperand(store, 0));
    }
    uint64_t key = ser_followed_key(followed, load);
    to->loads++;
    return key && write_word(to, "%s@%" PRIu64, comma(to), key);
}

static bool express_cast(ser_expression *to, const ser_followed *followed, LLVMValueRef cast)
{
    LLVMValueRef value = LLVMGetOperand(cast, 0);
    unsigned from = ser_number_width(followed->unit, LLVMTypeOf(value));
    unsigned width = ser_number_width(followed->unit, LLVMTypeOf(cast));
    if (!from || !width || ser_promises_more(cast) || !express(to, followed, value))
        return false;
    if (LLVMGetInstructionOpcode(cast) == LLVMSExt)
        return write_word(to, width < 64 ? ",sext%u,trunc%u" : ",sext%u", from, width);
    return width >= from || write_word(to, ",trunc%u", width);
}

static bool express_operation(ser_expression *to, const ser_followed *followed,
                              LLVMValueRef instruction)
{
    const char *name = ser_operation_name(instruction);
    if (!name || LLVMGetNumOperands(instruction) != 2)
        return false;
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    unsigned width = ser_number_width(followed->unit, LLVMTypeOf(left));
    return width && express(to, followed, left) && express(to, followed, right) &&
           write_word(to, ",%s%u", name, width);
}

static bool express_instruction(ser_expression *to, const ser_followed *followed,
                                LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return express_load(to, followed, instruction);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return express_cast(to, followed, instruction);
    default:
        return express_operation(to, followed, instruction);
    }
}

static bool express(ser_expression *to, const ser_followed *followed, LLVMValueRef value)
{
    uint64_t constant;
    bool good = false;
    if (to->depth++ >= DEEPEST)
        return false;
    if (ser_is_constant(followed->unit, value, &constant))
        good = write_word(to, "%s%" PRIu64, comma(to), constant);
    else if (LLVMIsAArgument(value))
        good = express_parameter(to, followed, value);
    else if (LLVMIsAInstruction(value))
        good = express_instruction(to, followed, value);
    to->depth--;
    return good;
}

bool ser_express(ser_expression *expression, const ser_followed *followed, LLVMValueRef value,
                 LLVMValueRef operand)
{
    *expression = (ser_expression){.operand = operand};
    bool good = express(expression, followed, value) && expression->loads > 0;
    if (good && !strchr(expression->text, 'p'))
        expression->operand = NULL;
    return good;
}

bool ser_expression_names(const char *text, uint64_t key)
{
    char word[24];
    int length = snprintf(word, sizeof word, "@%" PRIu64, key);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if (at[length] < '0' || at[length] > '9')
            return true;
    return false;
}
