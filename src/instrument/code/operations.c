/* SPDX-License-Identifier: MIT */
#include "instrument/code/operations.h"

#include <string.h>

#include "instrument/code/followed.h"
#include "instrument/instrument.h"

unsigned ser_number_width(const ser_unit *unit, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_number = kind == LLVMIntegerTypeKind;
    if (!is_number && (kind != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(type) != 0))
        return 0;
    unsigned long long bits = LLVMSizeOfTypeInBits(unit->layout, type);
    return bits <= 64 ? (unsigned)bits : 0;
}

unsigned ser_scalar_width(const ser_unit *unit, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMDoubleTypeKind  ? 64
           : kind == LLVMFloatTypeKind ? 32
                                       : ser_number_width(unit, type);
}

static bool is_real_constant(LLVMValueRef value, uint64_t *bits)
{
    LLVMBool loses;
    if (!LLVMIsAConstantFP(value))
        return false;
    bool is_double = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind;
    if (!is_double && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMFloatTypeKind)
        return false;
    double number = LLVMConstRealGetDouble(value, &loses);
    float small = (float)number;
    uint32_t low;
    memcpy(&low, &small, sizeof low);
    memcpy(bits, &number, sizeof *bits);
    *bits = is_double ? *bits : low;
    return number == number; /* not a number: its bits may be others */
}

bool ser_is_constant(const ser_unit *unit, LLVMValueRef value, uint64_t *number)
{
    *number = 0;
    if (is_real_constant(value, number))
        return true;
    if (LLVMIsAConstantPointerNull(value))
        return ser_number_width(unit, LLVMTypeOf(value)) != 0;
    if (!LLVMIsAConstantInt(value) || ser_number_width(unit, LLVMTypeOf(value)) == 0)
        return false;
    *number = LLVMConstIntGetZExtValue(value);
    return true;
}

static const char *comparison_name(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntEQ:
        return "eq";
    case LLVMIntNE:
        return "ne";
    case LLVMIntUGT:
        return "ugt";
    case LLVMIntUGE:
        return "uge";
    case LLVMIntULT:
        return "ult";
    case LLVMIntULE:
        return "ule";
    case LLVMIntSGT:
        return "sgt";
    case LLVMIntSGE:
        return "sge";
    case LLVMIntSLT:
        return "slt";
    case LLVMIntSLE:
        return "sle";
    }
    return NULL;
}

static const char *real_comparison_name(LLVMRealPredicate predicate)
{
    static const char *const names[] = {
        [LLVMRealOEQ] = "foeq", [LLVMRealOGT] = "fogt", [LLVMRealOGE] = "foge",
        [LLVMRealOLT] = "folt", [LLVMRealOLE] = "fole", [LLVMRealONE] = "fone",
        [LLVMRealUEQ] = "fueq", [LLVMRealUGT] = "fugt", [LLVMRealUGE] = "fuge",
        [LLVMRealULT] = "fult", [LLVMRealULE] = "fule", [LLVMRealUNE] = "fune",
    };
    return predicate < sizeof names / sizeof *names ? names[predicate] : NULL;
}

static const char *arithmetic_name(LLVMOpcode opcode)
{
    static const struct {
        LLVMOpcode opcode;
        const char *name;
    } names[] = {
        {LLVMAdd, "add"},   {LLVMSub, "sub"},   {LLVMMul, "mul"},   {LLVMUDiv, "udiv"},
        {LLVMSDiv, "sdiv"}, {LLVMURem, "urem"}, {LLVMSRem, "srem"}, {LLVMShl, "shl"},
        {LLVMLShr, "lshr"}, {LLVMAShr, "ashr"}, {LLVMAnd, "and"},   {LLVMOr, "or"},
        {LLVMXor, "xor"},   {LLVMFAdd, "fadd"}, {LLVMFSub, "fsub"}, {LLVMFMul, "fmul"},
        {LLVMFDiv, "fdiv"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].opcode == opcode)
            return names[i].name;
    return NULL;
}

bool ser_operation_loses(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode != LLVMAdd && opcode != LLVMSub && opcode != LLVMXor;
}

/* The name if what does not fit is cut off. */
static const char *wrapping_name(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd:
        return "wadd";
    case LLVMSub:
        return "wsub";
    case LLVMMul:
        return "wmul";
    default:
        return "wshl";
    }
}

const char *ser_operation_name(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    const char *name = opcode == LLVMICmp ? comparison_name(LLVMGetICmpPredicate(instruction))
                       : opcode == LLVMFCmp
                           ? real_comparison_name(LLVMGetFCmpPredicate(instruction))
                           : arithmetic_name(opcode);
    if (ser_wraps_around(instruction))
        return wrapping_name(opcode);
    return name && !ser_promises_more(instruction) ? name : NULL;
}

bool ser_is_cast(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return true;
    default:
        return false;
    }
}

bool ser_converts(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return true;
    default:
        return false;
    }
}

bool ser_only_computes(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMPHI:
        return true;
    default:
        return ser_is_cast(instruction);
    }
}

static const char letters[SER_MOST_OPERANDS] = {'p', 'P', 'Q'};

char ser_operands_letter(ser_operands *operands, LLVMValueRef value)
{
    unsigned number = 0;
    while (number < operands->count && operands->items[number] != value)
        number++;
    if (number == SER_MOST_OPERANDS)
        return 0;
    operands->items[number] = value;
    operands->count = number == operands->count ? number + 1 : operands->count;
    return letters[number];
}

void ser_operands_trim(ser_operands *operands, const char *text)
{
    while (operands->count && !strchr(text, letters[operands->count - 1]))
        operands->count--;
}
