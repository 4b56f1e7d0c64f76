/* SPDX-License-Identifier: MIT */
/*
 * Locals whose address escapes. The memory of a frame is used again by the next call, and that of a
 * block by the next block: where the life of such a variable begins, a call of the runtime says
 * that its memory is a new variable.
 */
#include "instrument/accesses/body.h"
#include "instrument/naming/debug_info.h"
#include "instrument/naming/sites.h"

static LLVMValueRef site_of_local(ser_body *body, LLVMValueRef object, LLVMValueRef place)
{
    LLVMValueRef variable = ser_variable_of(body->unit, &body->variables, object);
    const char *name = variable ? ser_node_text(variable, SER_VARIABLE_NAME) : NULL;
    return ser_site_of_instruction(body->unit, place, name);
}

static void record_local(ser_body *body, LLVMValueRef object, LLVMValueRef size, LLVMValueRef place)
{
    SER_CALL(body->unit, "__seriatim_local", object, size, site_of_local(body, object, place));
}

static LLVMValueRef size_of_alloca(ser_unit *unit, LLVMValueRef alloca)
{
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    LLVMValueRef count = LLVMGetOperand(alloca, 0);
    LLVMValueRef wide = LLVMBuildIntCast2(unit->builder, count, unit->i64, false, "");
    return LLVMBuildMul(unit->builder, wide, ser_size(unit, LLVMABISizeOfType(unit->layout, type)),
                        "");
}

/* Lives that LLVM marks, of a variable or of a cast of it. How many there were. */
static unsigned record_marked_lives(ser_body *body, LLVMValueRef alloca, LLVMValueRef pointer)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsABitCastInst(user)) {
            count += record_marked_lives(body, alloca, user);
        } else if (LLVMIsACallInst(user) &&
                   ser_starts_with(ser_called_name(user), "llvm.lifetime.start")) {
            LLVMPositionBuilderBefore(body->unit->builder, LLVMGetNextInstruction(user));
            record_local(body, alloca, size_of_alloca(body->unit, alloca), user);
            count++;
        }
    }
    return count;
}

/* The lives of variables begin after the entry of the function is recorded. */
static LLVMValueRef skip_entry(LLVMValueRef place)
{
    while (LLVMIsAAllocaInst(place))
        place = LLVMGetNextInstruction(place);
    if (LLVMIsACallInst(place) && strcmp(ser_called_name(place), "__seriatim_enter") == 0)
        place = LLVMGetNextInstruction(place);
    return place;
}

static bool is_of_entry(const ser_body *body, LLVMValueRef instruction)
{
    return LLVMGetInstructionParent(instruction) == LLVMGetEntryBasicBlock(body->function);
}

/* The runtime looks at memory by words: no two such variables share one. */
static void align_to_words(LLVMValueRef alloca)
{
    enum { WORD = 8 };
    if (LLVMGetAlignment(alloca) < WORD)
        LLVMSetAlignment(alloca, WORD);
}

static void record_alloca(ser_body *body, LLVMValueRef alloca)
{
    align_to_words(alloca);
    if (record_marked_lives(body, alloca, alloca))
        return;
    LLVMValueRef place = LLVMGetNextInstruction(alloca);
    if (is_of_entry(body, alloca) && LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)))
        place = skip_entry(place);
    LLVMPositionBuilderBefore(body->unit->builder, place);
    record_local(body, alloca, size_of_alloca(body->unit, alloca), alloca);
}

/* Structures passed by copy are locals of the callee. */
static void record_copies(ser_body *body)
{
    ser_unit *unit = body->unit;
    for (unsigned i = 0; i < LLVMCountParams(body->function); i++) {
        LLVMValueRef parameter = LLVMGetParam(body->function, i);
        LLVMTypeRef type = ser_type_of_copy(parameter);
        if (!type || !ser_escapes(body->locality, parameter))
            continue;
        LLVMValueRef place = skip_entry(ser_first_instruction(body->function));
        LLVMPositionBuilderBefore(unit->builder, place);
        record_local(body, parameter, ser_size(unit, LLVMABISizeOfType(unit->layout, type)), place);
    }
}

void ser_tell_locals(ser_body *body)
{
    ser_values escaping = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            if (LLVMIsAAllocaInst(instruction) && ser_escapes(body->locality, instruction))
                ser_vector_push(&escaping, instruction);
    for (size_t i = 0; i < escaping.count; i++)
        record_alloca(body, escaping.items[i]);
    ser_vector_free(&escaping);
    record_copies(body);
}
