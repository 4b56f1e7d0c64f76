/* SPDX-License-Identifier: MIT */
/*
 * Follows a value that was read from use to use, at most MOST_VALUES of them. ser_find_decision.
 */
#include <string.h>

#include "instrument/accesses/library/library.h"
#include "instrument/code/choices.h"
#include "instrument/code/decisions.h"
#include "instrument/unrecorded.h"

enum { MOST_VALUES = 120, MOST_CHOICES = 16, MOST_STEPS = 400 };

typedef struct decision_walk {
    ser_actors *actors;
    LLVMValueRef read;
    ser_values values;
    unsigned choices;    /* branches whose ways were looked at for constants */
    bool for_writes;     /* ser_writes_anyway: only until the lock is given back */
    bool stored_outside; /* of the call that reads */
    bool branches;       /* with it: some branch depends on the value */
    bool may_skip;       /* with it: some branch can lead past all writes */
    ser_read_decision found;
} decision_walk;

static void follow(decision_walk *walk, LLVMValueRef value)
{
    for (size_t i = 0; i < walk->values.count; i++)
        if (walk->values.items[i] == value)
            return;
    if (walk->values.count < MOST_VALUES)
        ser_vector_push(&walk->values, value);
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

/* --- in which call? ------------------------------------------------------------ */

/* A walk that ends where the call returns that it began in (other calls that were inlined are
 * entered first), or where something is done, such as a lock given back. */
typedef struct same_call {
    ser_actors *actors; /* NULL: to the end of the call */
    ser_deed deed;      /* else: to one of these */
    ser_values entered; /* their depths, which are given back when they return */
    ser_values blocks;  /* as values; to be walked through, or done */
} same_call;

static bool has_value(const ser_values *values, LLVMValueRef value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == value)
            return true;
    return false;
}

static bool leaves_call(same_call *stay, LLVMValueRef instruction)
{
    const char *name = is_call(instruction) ? ser_called_name(instruction) : "";
    if (strcmp(name, "__seriatim_enter") == 0)
        ser_vector_push(&stay->entered, instruction);
    return strcmp(name, "__seriatim_leave") == 0 &&
           !has_value(&stay->entered, LLVMGetOperand(instruction, 0));
}

/* From an instruction to the end of its block. True: `wanted` was reached. */
static bool stay_within(same_call *stay, LLVMValueRef instruction, LLVMValueRef wanted)
{
    for (; instruction; instruction = LLVMGetNextInstruction(instruction)) {
        if (instruction == wanted)
            return true;
        if (stay->actors ? ser_does(stay->actors, stay->deed, instruction)
                         : leaves_call(stay, instruction))
            return false;
        if (!LLVMIsATerminatorInst(instruction))
            continue;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(instruction); i++) {
            LLVMValueRef next = LLVMBasicBlockAsValue(LLVMGetSuccessor(instruction, i));
            if (!has_value(&stay->blocks, next))
                ser_vector_push(&stay->blocks, next);
        }
    }
    return false;
}

/* Can the read's thread come to an instruction of the same function before the call returns that
 * reads or, with actors, before it does something? */
static bool comes_to(ser_actors *actors, ser_deed deed, LLVMValueRef read, LLVMValueRef instruction)
{
    same_call stay = {.actors = actors, .deed = deed};
    bool found = stay_within(&stay, LLVMGetNextInstruction(read), instruction);
    for (size_t i = 0; i < stay.blocks.count && i < MOST_STEPS && !found; i++)
        found =
            stay_within(&stay, LLVMGetFirstInstruction(LLVMValueAsBasicBlock(stay.blocks.items[i])),
                        instruction);
    ser_vector_free(&stay.entered);
    ser_vector_free(&stay.blocks);
    return found;
}

static bool is_in_call_of(LLVMValueRef read, LLVMValueRef instruction)
{
    return function_of(read) == function_of(instruction) && comes_to(NULL, 0, read, instruction);
}

/* What other functions do may be in the section. */
static bool may_be_in_section_of(const decision_walk *walk, LLVMValueRef instruction)
{
    return function_of(walk->read) != function_of(instruction) ||
           comes_to(walk->actors, SER_DEED_RELEASES, walk->read, instruction);
}

/* Is it done only after the thread has taken another lock? */
static bool is_in_later_section(const decision_walk *walk, LLVMValueRef instruction)
{
    return function_of(walk->read) == function_of(instruction) &&
           !comes_to(walk->actors, SER_DEED_ACTS, walk->read, instruction);
}

/* --- locals -------------------------------------------------------------------- */

static LLVMValueRef object_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool copies(LLVMValueRef call)
{
    return LLVMIsACallInst(call) && ser_starts_with(ser_called_name(call), "llvm.memcpy.");
}

/* All that is read from a local variable, or from a part or copy of it. */
static void follow_local(decision_walk *walk, LLVMValueRef pointer, unsigned depth)
{
    enum { DEEPEST = 6 };
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && depth < DEEPEST;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) {
            follow(walk, user);
        } else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) {
            follow_local(walk, user, depth + 1);
        } else if (copies(user) && LLVMGetOperand(user, 1) == pointer) {
            LLVMValueRef copy = object_of(LLVMGetOperand(user, 0));
            if (LLVMIsAAllocaInst(copy) && copy != object_of(pointer))
                follow_local(walk, copy, depth + 1);
        }
    }
}

/* The parameter that a pointer is, perhaps kept in a local variable; NULL: it is none. */
static LLVMValueRef parameter_of(LLVMValueRef pointer)
{
    if (LLVMIsAArgument(pointer))
        return pointer;
    LLVMValueRef local = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    if (!local || !LLVMIsAAllocaInst(local))
        return NULL;
    LLVMValueRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(local); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != local)
            continue;
        if (found || !LLVMIsAArgument(LLVMGetOperand(user, 0)))
            return NULL;
        found = LLVMGetOperand(user, 0);
    }
    return found;
}

static bool calls(LLVMValueRef user, LLVMValueRef function)
{
    return LLVMIsAInstruction(user) && is_call(user) && LLVMGetCalledValue(user) == function &&
           !ser_is_in_copy(user);
}

/* A local variable of a caller gets it. */
static void follow_parameter(decision_walk *walk, LLVMValueRef parameter, unsigned depth);

static void follow_object(decision_walk *walk, LLVMValueRef object, unsigned depth)
{
    LLVMValueRef parameter = parameter_of(object);
    if (LLVMIsAAllocaInst(object))
        follow_local(walk, object, 0);
    else if (parameter)
        follow_parameter(walk, parameter, depth);
}

static void follow_parameter(decision_walk *walk, LLVMValueRef parameter, unsigned depth)
{
    enum { DEEPEST = 3 };
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned number = 0;
    while (LLVMGetParam(function, number) != parameter)
        number++;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && depth < DEEPEST;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (calls(call, function) && number < (unsigned)LLVMGetNumArgOperands(call))
            follow_object(walk, object_of(LLVMGetOperand(call, number)), depth + 1);
    }
}

static void see_store(decision_walk *walk, LLVMValueRef store)
{
    LLVMValueRef object = object_of(LLVMGetOperand(store, 1));
    follow_object(walk, object, 0);
    if (LLVMIsAAllocaInst(object))
        return;
    if (!walk->for_writes)
        walk->stored_outside |= !walk->stored_outside && !is_in_call_of(walk->read, store);
}

static void note_decision(decision_walk *walk, bool is_handed)
{
    walk->found.decides = true;
    walk->found.is_handed |= is_handed;
}

/* --- functions ----------------------------------------------------------------- */

static void follow_result(decision_walk *walk, LLVMValueRef ending)
{
    LLVMValueRef function = function_of(ending);
    bool is_called = false, has_address = false;
    if (walk->for_writes && !may_be_in_section_of(walk, ending))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        has_address |= LLVMIsAConstant(user) && !LLVMIsABlockAddress(user);
        if (!calls(user, function))
            continue;
        is_called = true;
        follow(walk, user);
    }
    if (is_called || (!has_address && LLVMGetLinkage(function) != LLVMExternalLinkage))
        return;
    walk->may_skip = true;
    note_decision(walk, true);
}

static void follow_argument(decision_walk *walk, LLVMValueRef call, LLVMValueRef value)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (ser_starts_with(ser_called_name(call), "llvm.")) {
        follow(walk, call);
        return;
    }
    for (unsigned i = 0;
         function && i < LLVMCountParams(function) && i < (unsigned)LLVMGetNumArgOperands(call) &&
         LLVMCountBasicBlocks(function) > 0;
         i++)
        if (LLVMGetOperand(call, i) == value)
            follow(walk, LLVMGetParam(function, i));
}

/* Is it a function that may be the program's, but is not seen here: one of another file, or called
 * through a pointer? */
static bool is_unseen(LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    return !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) &&
           (!function || (LLVMCountBasicBlocks(function) == 0 && !ser_library_find(call) &&
                          !ser_starts_with(ser_called_name(call), "llvm.") &&
                          !ser_starts_with(ser_called_name(call), "__seriatim_")));
}

/* Who gets the value after the call has returned that has read it may store it. */
static void see_call(decision_walk *walk, LLVMValueRef call, LLVMValueRef value)
{
    follow_argument(walk, call, value);
    if (!walk->for_writes && !walk->found.is_given && is_unseen(call))
        walk->found.is_given = !is_in_call_of(walk->read, call);
}

/* --- branches ------------------------------------------------------------------ */

/* What is kept in a local, or comes to a phi, on one side of a branch on the value shows what the
 * value was. */
static void follow_choices(decision_walk *walk, LLVMValueRef branch)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        LLVMBasicBlockRef way = LLVMGetSuccessor(branch, i);
        for (LLVMValueRef each = LLVMGetFirstInstruction(way); each;
             each = LLVMGetNextInstruction(each)) {
            if (LLVMIsAPHINode(each))
                follow(walk, each);
            else if (LLVMIsAStoreInst(each) &&
                     LLVMIsAAllocaInst(object_of(LLVMGetOperand(each, 1))))
                follow_local(walk, object_of(LLVMGetOperand(each, 1)), 0);
        }
        LLVMValueRef last = LLVMGetBasicBlockTerminator(way);
        if (!last || !LLVMIsABranchInst(last) || LLVMIsConditional(last))
            continue;
        for (LLVMValueRef each = LLVMGetFirstInstruction(LLVMGetSuccessor(last, 0));
             each && LLVMIsAPHINode(each); each = LLVMGetNextInstruction(each))
            follow(walk, each);
    }
}

static bool decides_in_later_section(decision_walk *walk, LLVMValueRef branch)
{
    return is_in_later_section(walk, branch) &&
           (ser_may_skip_writes(walk->actors, branch) || ser_chooses_variable(branch));
}

static void see_branch(decision_walk *walk, LLVMValueRef branch)
{
    if (walk->for_writes && !may_be_in_section_of(walk, branch))
        return;
    walk->branches = true;
    if (walk->for_writes && ser_may_skip_writes(walk->actors, branch))
        walk->may_skip = true;
    else if (!walk->for_writes &&
             (ser_governs(walk->actors, branch) || decides_in_later_section(walk, branch)))
        note_decision(walk, !is_in_call_of(walk->read, branch));
    if (walk->choices++ < MOST_CHOICES)
        follow_choices(walk, branch);
}

/* "The first free slot", which is taken later. */
static void see_index(decision_walk *walk, LLVMValueRef element)
{
    for (LLVMUseRef use = LLVMGetFirstUse(element); use && !walk->for_writes;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == element &&
            is_in_later_section(walk, user))
            note_decision(walk, false);
    }
}

static bool is_index(LLVMValueRef user, LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) != value;
}

static bool computes(LLVMValueRef user)
{
    return LLVMIsACmpInst(user) || LLVMIsACastInst(user) || LLVMIsABinaryOperator(user) ||
           LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user) ||
           LLVMIsAExtractValueInst(user) || LLVMIsAInsertValueInst(user);
}

static void see_use(decision_walk *walk, LLVMValueRef user, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(user))
        return;
    if (LLVMIsABranchInst(user) || LLVMIsASwitchInst(user))
        see_branch(walk, user);
    else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value)
        see_store(walk, user);
    else if (LLVMIsAStoreInst(user) && !walk->for_writes && is_in_later_section(walk, user))
        note_decision(walk, false); /* where it is stored */
    else if (LLVMIsAReturnInst(user))
        follow_result(walk, user);
    else if (is_call(user))
        see_call(walk, user, value);
    else if (is_index(user, value))
        see_index(walk, user);
    else if (computes(user))
        follow(walk, user);
}

static bool is_settled(const decision_walk *walk)
{
    return walk->for_writes ? walk->may_skip : walk->found.decides && walk->found.is_handed;
}

static void follow_all(decision_walk *walk)
{
    follow(walk, walk->read);
    for (size_t i = 0; i < walk->values.count && !is_settled(walk); i++)
        for (LLVMUseRef use = LLVMGetFirstUse(walk->values.items[i]); use && !is_settled(walk);
             use = LLVMGetNextUse(use))
            see_use(walk, LLVMGetUser(use), walk->values.items[i]);
    walk->may_skip |= walk->values.count == MOST_VALUES;
    ser_vector_free(&walk->values);
}

ser_read_decision ser_find_decision(ser_actors *actors, LLVMValueRef read)
{
    decision_walk walk = {.actors = actors, .read = read};
    follow_all(&walk);
    walk.found.is_handed |= walk.stored_outside && !walk.found.decides;
    return walk.found;
}

bool ser_writes_anyway(ser_actors *actors, LLVMValueRef read, bool *is_blind)
{
    decision_walk walk = {.actors = actors, .read = read, .for_writes = true};
    if (LLVMCountBasicBlocks(function_of(read)) > SER_MOST_BLOCKS)
        return *is_blind = false;
    follow_all(&walk);
    *is_blind = !walk.branches && !walk.may_skip;
    return !walk.may_skip;
}
