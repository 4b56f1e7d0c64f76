/* SPDX-License-Identifier: MIT */
/*
 * Part of the first step: semaphores of C++20. They are made of atomics in the headers of
 * libstdc++, and would be seen as such: as data, over which blocks conflict. Instead their
 * operations are recorded as for those of POSIX, and their atomics are not.
 *
 * A post is recorded before it happens and a take after, so that no take comes before the post that
 * serves it.
 */
#include "instrument/semaphores.h"
#include "contract/abi.h"
#include "instrument/instrument.h"
#include "instrument/naming/sites.h"

#define CLASS "_ZNSt18__atomic_semaphore"

typedef enum deed { NOTHING, MAKE, ACQUIRE, TRY, RELEASE } deed;

static deed deed_of(const char *symbol)
{
    if (!ser_starts_with(symbol, CLASS))
        return NOTHING;
    const char *method = symbol + strlen(CLASS);
    if (ser_starts_with(method, "C1Ei") || ser_starts_with(method, "C2Ei"))
        return MAKE;
    if (ser_starts_with(method, "10_M_acquireE"))
        return ACQUIRE;
    if (ser_starts_with(method, "10_M_releaseE"))
        return RELEASE;
    /* _M_try_acquire_for calls _M_try_acquire_until */
    if (ser_starts_with(method, "14_M_try_acquireE") ||
        ser_starts_with(method, "20_M_try_acquire_untilI"))
        return TRY;
    return NOTHING;
}

static deed deed_of_function(LLVMValueRef function)
{
    size_t length;
    return deed_of(LLVMGetValueName2(function, &length));
}

bool ser_takes_std_semaphore(LLVMValueRef function)
{
    deed what = deed_of_function(function);
    return what == ACQUIRE || what == TRY;
}

bool ser_posts_std_semaphore(LLVMValueRef function)
{
    return deed_of_function(function) == RELEASE;
}

static void call_at_end(ser_unit *unit, LLVMValueRef function, LLVMValueRef ret, deed what)
{
    LLVMValueRef semaphore = LLVMGetParam(function, 0);
    LLVMPositionBuilderBefore(unit->builder, ret);
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    ser_unit_call(unit, "__seriatim_ignore_end", NULL, 0);
    if (what == RELEASE || what == MAKE)
        return;
    LLVMValueRef success = what == TRY ? LLVMGetOperand(ret, 0) : LLVMConstInt(unit->i1, 1, false);
    SER_CALL(unit, "__seriatim_semaphore_taken", semaphore,
             LLVMBuildZExt(unit->builder, success, unit->i32, ""));
}

static void call_at_ends(ser_unit *unit, LLVMValueRef function, deed what)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (last && LLVMIsAReturnInst(last))
            call_at_end(unit, function, last, what);
    }
    LLVMPositionBuilderBefore(unit->builder, ser_first_instruction(function));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    ser_unit_call(unit, "__seriatim_ignore_begin", NULL, 0);
    if (what == MAKE)
        SER_CALL(unit, "__seriatim_semaphore_made", LLVMGetParam(function, 0),
                 LLVMBuildZExt(unit->builder, LLVMGetParam(function, 1), unit->i64, ""));
    if (what == RELEASE)
        SER_CALL(unit, "__seriatim_semaphore_posted", LLVMGetParam(function, 0),
                 LLVMGetParam(function, 1));
}

bool ser_tell_semaphore(ser_unit *unit, LLVMValueRef function)
{
    deed what = deed_of_function(function);
    if (what != NOTHING)
        call_at_ends(unit, function, what);
    return what != NOTHING;
}

static bool is_method_of_semaphore(LLVMValueRef call)
{
    LLVMValueRef function = ser_called_function(call);
    size_t length;
    return function &&
           ser_starts_with(LLVMGetValueName2(function, &length), "_ZNSt18counting_semaphore");
}

/* The place of an event is where the program calls the method, not in the header. */
void ser_place_semaphores(ser_unit *unit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            if ((!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction)) ||
                !is_method_of_semaphore(instruction))
                continue;
            LLVMPositionBuilderBefore(unit->builder, instruction);
            LLVMValueRef site = ser_site_of_instruction(unit, instruction, NULL);
            ser_site_add_flags(unit, site, SER_ABI_SITE_TELLS);
            SER_CALL(unit, "__seriatim_at", site);
        }
}
