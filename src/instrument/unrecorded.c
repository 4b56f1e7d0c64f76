/* SPDX-License-Identifier: MIT */
/*
 * Three steps: ser_copy_functions, before all others; ser_choose_copies, after them; and, when
 * clang has optimised, ser_leave_calls_to_others.
 */
#include "instrument/unrecorded.h"

#include <stdlib.h>

#include "instrument/instrument.h"
#include "instrument/unit.h"

/* Attributes of a copy, and of what was the body of a function: the name of the function. */
static const char copy_mark[] = "seriatim-copy-of";
static const char body_mark[] = "seriatim-body-of";

static void set_mark(LLVMValueRef function, const char *mark, LLVMValueRef original)
{
    size_t length;
    const char *name = LLVMGetValueName2(original, &length);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, mark, (unsigned)strlen(mark), name, (unsigned)length));
}

/* The function named by the mark; NULL if there is none. */
static LLVMValueRef original_by(LLVMValueRef function, const char *mark)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark, (unsigned)strlen(mark));
    unsigned length;
    return attribute ? LLVMGetNamedFunction(LLVMGetGlobalParent(function),
                                            LLVMGetStringAttributeValue(attribute, &length))
                     : NULL;
}

typedef struct copier {
    ser_unit unit;
    ser_names *originals; /* addresses of functions, whose copies are in the list */
    ser_values copies;
} copier;

bool ser_is_copy(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         copy_mark, sizeof copy_mark - 1);
}

bool ser_is_in_copy(LLVMValueRef user)
{
    return LLVMIsAInstruction(user) &&
           ser_is_copy(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
}

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction) ||
           LLVMIsACallBrInst(instruction);
}

/* --- making copies -------------------------------------------------------------- */

static void copy(copier *work, LLVMValueRef function)
{
    LLVMValueRef made = ser_copy_beside(function, ".unrecorded");
    set_mark(made, copy_mark, function);
    ser_names_add(work->originals, (const char *)&function, sizeof function);
    ser_vector_push(&work->copies, made);
}

/* The copy that a call may go to instead; NULL if there is none. */
static LLVMValueRef copy_of_called(const copier *work, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAGlobalAlias(callee) && !ser_is_interposable(callee))
        callee = LLVMAliasGetAliasee(callee);
    uint32_t number = ser_names_find(work->originals, (const char *)&callee, sizeof callee);
    bool found = number != SER_NO_NAME && !ser_is_interposable(callee);
    return found ? work->copies.items[number] : NULL;
}

static void call_copies(const copier *work, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            LLVMValueRef found = is_call(instruction) ? copy_of_called(work, instruction) : NULL;
            if (found)
                LLVMSetOperand(instruction, (unsigned)LLVMGetNumOperands(instruction) - 1, found);
        }
}

static bool are_wanted(void)
{
    const char *text = getenv("SERIATIM_COPIES");
    return !text || strcmp(text, "0") != 0;
}

void ser_copy_functions(LLVMModuleRef module)
{
    if (!are_wanted() || !ser_unit_claim(module, "seriatim.copies"))
        return;
    copier work = {.originals = ser_names_create()};
    ser_unit_init(&work.unit, module);
    LLVMValueRef last = LLVMGetLastFunction(module), function = LLVMGetFirstFunction(module);
    for (; function; function = function == last ? NULL : LLVMGetNextFunction(function))
        if (ser_may_instrument(&work.unit, function) && ser_is_copyable(function))
            copy(&work, function);
    for (size_t i = 0; i < work.copies.count; i++)
        call_copies(&work, work.copies.items[i]);
    /* Resolvers of ifuncs run before calls of the runtime are possible. */
    for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc;
         ifunc = LLVMGetNextGlobalIFunc(ifunc))
        if (LLVMIsAFunction(LLVMGetGlobalIFuncResolver(ifunc)))
            call_copies(&work, LLVMGetGlobalIFuncResolver(ifunc));
    ser_vector_free(&work.copies);
    ser_names_destroy(work.originals);
    ser_unit_fini(&work.unit);
}

/* --- choosing between function and copy ---------------------------------------------- */

/* A set of functions, by address. */
static void add(ser_names *set, LLVMValueRef function)
{
    ser_names_add(set, (const char *)&function, sizeof function);
}

static bool is_in(const ser_names *set, LLVMValueRef function)
{
    return ser_names_find(set, (const char *)&function, sizeof function) != SER_NO_NAME;
}

/* Is this a call of the function, and no other use of it? */
static bool only_calls(LLVMValueRef user, LLVMValueRef function)
{
    if (!LLVMIsAInstruction(user) || !is_call(user) || LLVMGetCalledValue(user) != function)
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
        if (LLVMGetOperand(user, i) == function)
            return false;
    return true;
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* Can the function be called in a run without a recorder? Not if only those call it that have
 * copies themselves. */
static bool needs_test(const ser_names *originals, LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!only_calls(LLVMGetUser(use), function) ||
            !is_in(originals, function_of(LLVMGetUser(use))))
            return true;
    return false;
}

/* What runs only with a recorder, and is then called without a test. */
typedef struct chooser {
    ser_names *originals, *bodies;
    ser_values tested, copies; /* functions with a test, and their copies */
} chooser;

static void find_tested(chooser *work, LLVMModuleRef module)
{
    LLVMValueRef function, original;
    for (function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if ((original = original_by(function, copy_mark)))
            add(work->originals, original);
    for (function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        original = original_by(function, copy_mark);
        if (!original || !LLVMGetFirstBasicBlock(original))
            continue;
        if (needs_test(work->originals, original)) {
            ser_vector_push(&work->tested, original);
            ser_vector_push(&work->copies, function);
        } else {
            add(work->bodies, original);
        }
    }
}

static bool is_in_body(const ser_names *bodies, LLVMValueRef call, LLVMValueRef target)
{
    (void)target;
    return is_in(bodies, function_of(call));
}

static bool is_no_jump(const ser_names *unused, LLVMValueRef call, LLVMValueRef target)
{
    (void)unused;
    return function_of(call) != target;
}

/* Calls of the function go to the target, where that is wanted. */
static void call_instead(LLVMValueRef function, LLVMValueRef target, const ser_names *set,
                         bool (*is_wanted)(const ser_names *, LLVMValueRef, LLVMValueRef))
{
    ser_values calls = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (only_calls(LLVMGetUser(use), function) && is_wanted(set, LLVMGetUser(use), target))
            ser_vector_push(&calls, LLVMGetUser(use));
    for (size_t i = 0; i < calls.count; i++)
        LLVMSetOperand(calls.items[i], (unsigned)LLVMGetNumOperands(calls.items[i]) - 1, target);
    ser_vector_free(&calls);
}

/* Recorded code calls recorded code, as it would without copies. */
static void choose(chooser *work)
{
    ser_values moved = {0};
    for (size_t i = 0; i < work->tested.count; i++) {
        LLVMValueRef body = ser_begin_with_jump(work->tested.items[i], work->copies.items[i],
                                                "__seriatim_unrecorded");
        ser_vector_push(&moved, body);
        add(work->bodies, body);
    }
    for (size_t i = 0; i < moved.count; i++) {
        LLVMValueRef function = work->tested.items[i];
        if (moved.items[i] == function || ser_is_interposable(function))
            continue;
        set_mark(moved.items[i], body_mark, function);
        call_instead(function, moved.items[i], work->bodies, is_in_body);
    }
    ser_vector_free(&moved);
}

void ser_choose_copies(LLVMModuleRef module)
{
    if (!ser_unit_claim(module, "seriatim.chosen"))
        return;
    chooser work = {.originals = ser_names_create(), .bodies = ser_names_create()};
    find_tested(&work, module);
    choose(&work);
    ser_vector_free(&work.tested);
    ser_vector_free(&work.copies);
    ser_names_destroy(work.originals);
    ser_names_destroy(work.bodies);
}

/* --- after optimisation ----------------------------------------------------------- */

/* As clang does it: a function that was not inlined can be replaced by another object. The jumps
 * to copies stay. */
void ser_leave_calls_to_others(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMValueRef original = original_by(function, copy_mark);
        if (!original)
            original = original_by(function, body_mark);
        if (original && ser_is_preemptible(original))
            call_instead(function, original, NULL, is_no_jump);
    }
}
