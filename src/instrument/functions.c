/* SPDX-License-Identifier: MIT */
/*
 * The first step: every function of the program records when it is entered and left. It comes
 * before inlining, so that calls of small functions are recorded, too.
 *
 * The depth that __seriatim_enter returns is kept in the function and given back where it is left,
 * and wherever control arrives from deeper frames that were unwound. Functions of system headers
 * are not recorded: std::move and the like would be most of the trace, and are not meant to be
 * atomic.
 */
#include "contract/abi.h"
#include "instrument/accesses/library/library.h"
#include "instrument/code/decisions.h"
#include "instrument/code/reentry.h"
#include "instrument/code/spins.h"
#include "instrument/instrument.h"
#include "instrument/main_status.h"
#include "instrument/naming/sites.h"
#include "instrument/pointers.h"
#include "instrument/semaphores.h"

typedef struct framed {
    ser_unit *unit;
    ser_actors *actors;
    LLVMValueRef function, depth;
    bool atomic; /* the function is annotated as atomic block */
} framed;

static void drop_promises(LLVMValueRef function)
{
    ser_drop_promises_of_function(function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
            LLVMGetCalledValue(user) == function)
            ser_drop_promises_of_call(user);
    }
}

static void remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* Without optimisation clang forbids to inline anything. What a container does is then at a place
 * in its header, not where the program uses it: so code of headers is inlined all the same. */
static void allow_inlining(LLVMValueRef function)
{
    if (!ser_has_attribute(function, "optnone"))
        return;
    remove_attribute(function, "optnone");
    if (ser_is_of_system(function))
        remove_attribute(function, "noinline");
}

static void begin_block(const framed *frame)
{
    ser_site_place place = ser_site_place_of_function(frame->unit, frame->function);
    SER_CALL(frame->unit, "__seriatim_atomic_begin", place.function, place.file,
             LLVMConstInt(frame->unit->i32, place.line, false), place.function);
}

static void end_block(const framed *frame)
{
    ser_site_place place = ser_site_place_of_function(frame->unit, frame->function);
    SER_CALL(frame->unit, "__seriatim_atomic_end", place.file,
             LLVMConstInt(frame->unit->i32, place.line, false), place.function);
}

/* Does its caller not get to know what it has read? */
static bool keeps_to_itself(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    bool keeps =
        LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind && !LLVMIsFunctionVarArg(type);
    for (unsigned i = 0; keeps && i < LLVMCountParams(function); i++)
        keeps = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) != LLVMPointerTypeKind;
    return keeps;
}

static void call_at_entry(framed *frame)
{
    ser_unit *unit = frame->unit;
    LLVMPositionBuilderBefore(unit->builder, ser_first_instruction(frame->function));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMValueRef site = ser_site_of_function(unit, frame->function);
    if (ser_acts_in_loop(frame->actors, frame->function))
        ser_site_add_flags(unit, site, SER_ABI_SITE_LOOPS);
    if (ser_spins(frame->function))
        ser_site_add_flags(unit, site, SER_ABI_SITE_SPINS);
    if (keeps_to_itself(frame->function))
        ser_site_add_flags(unit, site, SER_ABI_SITE_KEEPS);
    frame->depth = SER_CALL(unit, "__seriatim_enter", site);
    if (frame->atomic)
        begin_block(frame);
}

/* Nothing may stand between a musttail call and its return; so the function is
 * left before the call, as it is in fact. */
static LLVMValueRef last_place_before(LLVMValueRef ret)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(ret);
    if (before && LLVMIsABitCastInst(before))
        before = LLVMGetPreviousInstruction(before);
    return before && ser_must_tail(before) ? before : ret;
}

static void call_at_exit(const framed *frame, LLVMValueRef ret)
{
    LLVMPositionBuilderBefore(frame->unit->builder, last_place_before(ret));
    SER_CALL(frame->unit, "__seriatim_leave", frame->depth);
}

/* A block ends with its function, also if that is left by an exception. */
static void call_at_end_and_exit(LLVMBuilderRef builder, void *data)
{
    const framed *frame = data;
    LLVMBuilderRef own = frame->unit->builder;
    frame->unit->builder = builder;
    end_block(frame);
    SER_CALL(frame->unit, "__seriatim_leave", frame->depth);
    frame->unit->builder = own;
}

static void call_at_arrival(const framed *frame, LLVMValueRef after)
{
    LLVMPositionBuilderBefore(frame->unit->builder, LLVMGetNextInstruction(after));
    SER_CALL(frame->unit, "__seriatim_arrive", frame->depth);
}

/* Where the function goes on after a call: what it calls records that when it returns. Functions of
 * system headers are not recorded themselves, but call the program's, as condition variables call
 * their predicates. What is only declared here may be instrumented elsewhere; the system's own code
 * hardly calls such. */
static bool may_record_return(ser_unit *unit, LLVMValueRef caller, LLVMValueRef call)
{
    if (!(LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) ||
        LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return false;
    LLVMValueRef function = ser_called_function(call);
    if (!function)
        return true;
    const char *name = ser_called_name(call);
    if (ser_starts_with(name, "llvm.") || ser_starts_with(name, "__seriatim_"))
        return false;
    if (LLVMIsDeclaration(function))
        return !ser_is_of_system(caller) && !ser_library_find(call);
    return ser_may_instrument(unit, function) && !ser_is_of_system(function);
}

/* A dispatcher calls in a loop what others have registered. */
static unsigned flags_of_call(LLVMValueRef call)
{
    bool may_recur =
        !ser_called_function(call) &&
        LLVMCountBasicBlocks(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) <=
            SER_MOST_BLOCKS;
    return may_recur && ser_recurs(LLVMGetInstructionParent(call))
               ? SER_ABI_SITE_CALL | SER_ABI_SITE_DISPATCHES
               : SER_ABI_SITE_CALL;
}

static void announce_calls(ser_unit *unit, LLVMValueRef caller)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            if (!may_record_return(unit, caller, instruction))
                continue;
            LLVMValueRef site = ser_site_of_instruction(unit, instruction, NULL);
            ser_site_add_flags(unit, site, flags_of_call(instruction));
            LLVMPositionBuilderBefore(unit->builder, instruction);
            SER_CALL(unit, "__seriatim_calls", site);
        }
}

static bool returns_twice(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) || ser_must_tail(instruction))
        return false;
    unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    LLVMValueRef function = ser_called_function(instruction);
    return LLVMGetCallSiteEnumAttribute(instruction, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        kind) ||
           (function && ser_has_attribute(function, "returns_twice"));
}

static void instrument_function(ser_unit *unit, ser_actors *actors, LLVMValueRef function)
{
    framed frame = {unit, actors, function, NULL,
                    ser_is_annotated(unit, function, "seriatim_atomic")};
    call_at_entry(&frame);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block), next; instruction;
             instruction = next) {
            next = LLVMGetNextInstruction(instruction);
            if (LLVMIsAReturnInst(instruction) && !frame.atomic)
                call_at_exit(&frame, instruction);
            else if (LLVMIsALandingPadInst(instruction) || returns_twice(instruction))
                call_at_arrival(&frame, instruction);
        }
    }
    if (frame.atomic)
        ser_for_each_exit(function, call_at_end_and_exit, &frame);
}

/* A coroutine is left and entered again in ways that no depth describes. */
static bool is_coroutine(LLVMValueRef function)
{
    return ser_has_attribute(function, "coroutine.presplit") ||
           ser_has_attribute(function, "presplitcoroutine");
}

void ser_instrument_functions(LLVMModuleRef module)
{
    if (!ser_unit_claim(module, "seriatim.functions"))
        return;
    ser_unit unit;
    ser_actors actors;
    ser_unit_init(&unit, module);
    ser_actors_init(&actors);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (!ser_may_instrument(&unit, function))
            continue;
        drop_promises(function);
        allow_inlining(function);
        announce_calls(&unit, function);
        if (ser_tell_semaphore(&unit, function) || ser_tell_pointer(&unit, function) ||
            ser_is_of_system(function))
            continue;
        ser_place_semaphores(&unit, function);
        if (!is_coroutine(function))
            instrument_function(&unit, &actors, function);
        ser_settle_main_status(&unit, function);
    }
    ser_actors_fini(&actors);
    ser_unit_fini(&unit);
}

/* What is not to be recorded must not become part of a function that is; another object may have
 * one of the same name; and what is called outside might look at the stack. */
static bool may_be_anywhere(LLVMValueRef function, void *unit)
{
    return ser_may_instrument(unit, function) && !ser_is_preemptible(function) &&
           !ser_may_be_reentered(unit, function);
}

void ser_inline_small_functions(LLVMModuleRef module)
{
    ser_unit unit;
    ser_unit_init(&unit, module);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(&unit, function) && !ser_is_of_system(function))
            ser_inline_into(function, may_be_anywhere, &unit);
    ser_unit_fini(&unit);
}
