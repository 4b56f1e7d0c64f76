/* SPDX-License-Identifier: MIT */
/*
 * From each phi back to the phis that it gets its value from (gather_phis), to the step (gather),
 * and then the conditions of carried.h (carried_ways.c).
 */
#include "instrument/guards/carried.h"

#include <inttypes.h>
#include <stdio.h>

#include "instrument/code/choices.h"
#include "instrument/code/operations.h"

enum { MOST_PHIS = 8, MOST_INNER = 32, MOST_BLOCKS = 300, MOST_CARRIED = 16 };

static void add_once(ser_values *values, LLVMValueRef value)
{
    if (!ser_values_have(values, value))
        ser_vector_push(values, value);
}

/* --- the parts ------------------------------------------------------------------------------ */

/* A phi that chooses between two values of the same round is part of the step, unless only one way
 * to it has a load of the step. */
static bool passes_on(const ser_carried *carried, LLVMValueRef value)
{
    ser_choice choice;
    return LLVMIsAPHINode(value) && (carried->is_by_way || !ser_choice_of_phi(value, &choice));
}

static bool gather_phis(ser_carried *carried, LLVMValueRef phi, ser_values *others)
{
    add_once(&carried->phis, phi);
    for (size_t i = 0; i < carried->phis.count && carried->phis.count <= MOST_PHIS; i++) {
        LLVMValueRef each = carried->phis.items[i];
        for (unsigned j = 0; j < LLVMCountIncoming(each); j++) {
            LLVMValueRef value = LLVMGetIncomingValue(each, j);
            add_once(passes_on(carried, value) ? &carried->phis : others, value);
        }
    }
    return carried->phis.count <= MOST_PHIS && others->count == 2;
}

static bool is_load_of(const ser_followed *followed, LLVMValueRef value)
{
    for (size_t i = 0; i < followed->loads.count; i++)
        if (followed->loads.items[i] == value)
            return true;
    return false;
}

static bool is_computed(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsACmpInst(value) ||
           LLVMIsASelectInst(value) || LLVMIsAFreezeInst(value) ||
           LLVMGetInstructionOpcode(value) == LLVMFNeg ||
           (LLVMIsACallInst(value) && ser_is_extreme(value));
}

static bool gather(ser_carried *carried, const ser_followed *followed, LLVMValueRef value);

static bool gather_operands(ser_carried *carried, const ser_followed *followed, LLVMValueRef value)
{
    ser_choice choice;
    bool is_call = LLVMIsACallInst(value);
    if (LLVMIsAPHINode(value))
        return ser_choice_of_phi(value, &choice) && gather(carried, followed, choice.condition) &&
               gather(carried, followed, choice.values[0]) &&
               gather(carried, followed, choice.values[1]);
    unsigned count = is_call ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++)
        if (!gather(carried, followed, LLVMGetOperand(value, i)))
            return false;
    return true;
}

/* What a value is computed from; false: too much, or not from one phi. */
static bool gather(ser_carried *carried, const ser_followed *followed, LLVMValueRef value)
{
    if (ser_values_have(&carried->phis, value)) {
        bool is_one = !carried->used || carried->used == value;
        carried->used = value;
        return is_one;
    }
    if (is_load_of(followed, value)) {
        add_once(&carried->loads, value);
        return LLVMIsALoadInst(value);
    }
    bool chooses = LLVMIsAPHINode(value) && !passes_on(carried, value);
    if (!LLVMIsAInstruction(value) || !(chooses || is_computed(value)) ||
        ser_values_have(&carried->inner, value))
        return true;
    ser_vector_push(&carried->inner, value);
    return carried->inner.count <= MOST_INNER && gather_operands(carried, followed, value);
}

static bool is_used_inside_only(const ser_carried *carried, LLVMValueRef value)
{
    for (LLVMUseRef each = LLVMGetFirstUse(value); each; each = LLVMGetNextUse(each))
        if (!ser_values_have(&carried->inner, LLVMGetUser(each)))
            return false;
    return true;
}

/* The step stays, whoever uses it. */
static void drop_shared(ser_carried *carried)
{
    for (size_t i = 0; i < carried->inner.count;) {
        LLVMValueRef value = carried->inner.items[i];
        if (value == carried->step || is_used_inside_only(carried, value)) {
            i++;
            continue;
        }
        carried->inner.items[i] = carried->inner.items[--carried->inner.count];
        i = 0; /* what was used inside only may not be so now */
    }
}

static bool has_known_initial(const ser_carried *carried, const ser_unit *unit)
{
    uint64_t number;
    return ser_is_constant(unit, carried->initial, &number) ||
           (LLVMIsAArgument(carried->initial) &&
            ser_number_width(unit, LLVMTypeOf(carried->initial)));
}

/* One of the two values is the step: the one that is computed from loads, and perhaps from a phi.
 */
static bool find_step(ser_carried *carried, const ser_followed *followed, const ser_values *two)
{
    for (size_t i = 0; i < 2; i++) {
        carried->step = two->items[i];
        carried->initial = two->items[1 - i];
        carried->used = NULL;
        carried->loads.count = carried->inner.count = 0;
        if (gather(carried, followed, carried->step) && carried->used != carried->step &&
            carried->loads.count > 0 && has_known_initial(carried, followed->unit))
            return true;
    }
    return false;
}

static bool find_last_load(ser_carried *carried, const ser_followed *followed)
{
    for (size_t i = 0; i < carried->loads.count; i++) {
        LLVMValueRef last = carried->loads.items[i];
        bool is_last = true;
        for (size_t j = 0; j < carried->loads.count; j++)
            is_last &= j == i || ser_dominates(followed->dominance, carried->loads.items[j], last);
        if (is_last)
            carried->load = last;
    }
    return carried->load && (carried->load == carried->step ||
                             ser_dominates(followed->dominance, carried->load, carried->step));
}

/* One for each phi, at the beginning of its block: 0 if its value is the initial one. */
static void make_flags(ser_carried *carried)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(carried->step));
    LLVMTypeRef type = LLVMInt32TypeInContext(context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (size_t i = 0; i < carried->phis.count; i++) {
        LLVMPositionBuilderBefore(builder, carried->phis.items[i]);
        ser_vector_push(&carried->flags, LLVMBuildPhi(builder, type, "seriatim.rounds"));
    }
    for (size_t i = 0; i < carried->phis.count; i++) {
        LLVMValueRef phi = carried->phis.items[i];
        for (unsigned j = 0; j < LLVMCountIncoming(phi); j++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, j);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, j);
            LLVMValueRef flag = LLVMConstInt(type, value == carried->step, 0);
            for (size_t k = 0; k < carried->phis.count; k++)
                flag = carried->phis.items[k] == value ? carried->flags.items[k] : flag;
            LLVMAddIncoming(carried->flags.items[i], &flag, &block, 1);
        }
    }
    LLVMDisposeBuilder(builder);
}

static void fini(ser_carried *carried)
{
    ser_vector_free(&carried->phis);
    ser_vector_free(&carried->flags);
    ser_vector_free(&carried->loads);
    ser_vector_free(&carried->inner);
}

/* The phis that the value of this one goes into, and those behind them. */
static bool reaches_itself(const ser_carried *carried, LLVMValueRef phi)
{
    ser_values reached = {0};
    ser_vector_push(&reached, phi);
    bool found = false;
    for (size_t i = 0; i < reached.count && !found; i++) {
        for (size_t k = 0; k < carried->phis.count && !found; k++) {
            LLVMValueRef into = carried->phis.items[k];
            for (unsigned j = 0; j < LLVMCountIncoming(into); j++)
                if (LLVMGetIncomingValue(into, j) == reached.items[i]) {
                    found |= into == phi;
                    add_once(&reached, into);
                }
        }
    }
    ser_vector_free(&reached);
    return found;
}

/* Is a value kept from one round for the next ones? Else the phi only chooses: a && b. */
static bool is_kept_for_rounds(const ser_carried *carried)
{
    bool kept = carried->used != NULL;
    for (size_t i = 0; i < carried->phis.count && !kept; i++)
        kept = reaches_itself(carried, carried->phis.items[i]);
    return kept;
}

static bool find(ser_carried *carried, const ser_followed *followed, LLVMValueRef phi)
{
    ser_values others = {0};
    bool good = gather_phis(carried, phi, &others) && find_step(carried, followed, &others) &&
                is_kept_for_rounds(carried) && find_last_load(carried, followed);
    ser_vector_free(&others);
    if (!good)
        return false;
    drop_shared(carried);
    return ser_carried_is_kept(carried);
}

static bool is_known_phi(const ser_followed *followed, LLVMValueRef phi)
{
    for (size_t i = 0; i < followed->carried.count; i++)
        if (ser_carried_passes(&followed->carried.items[i], phi) ||
            ser_values_have(&followed->carried.items[i].flags, phi))
            return true;
    return false;
}

/* True: it was found, and is one of the list. */
static bool add(ser_followed *followed, LLVMValueRef phi, bool is_by_way)
{
    ser_carried carried = {.is_by_way = is_by_way};
    if (!passes_on(&carried, phi) || !find(&carried, followed, phi)) {
        fini(&carried);
        return false;
    }
    make_flags(&carried);
    carried.number = ser_followed_key(followed, carried.load) + followed->carried.count;
    ser_vector_push(&followed->carried, carried);
    return true;
}

static void look_at(ser_followed *followed, LLVMValueRef phi)
{
    if (!is_known_phi(followed, phi) && ser_scalar_width(followed->unit, LLVMTypeOf(phi)) &&
        !add(followed, phi, false))
        add(followed, phi, true);
}

void ser_carried_find(ser_followed *followed)
{
    if (LLVMCountBasicBlocks(followed->function) > MOST_BLOCKS || followed->loads.count == 0)
        return;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(followed->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at && LLVMIsAPHINode(at);
             at = LLVMGetNextInstruction(at))
            if (followed->carried.count < MOST_CARRIED)
                look_at(followed, at);
}

void ser_carried_fini(ser_followed *followed)
{
    for (size_t i = 0; i < followed->carried.count; i++)
        fini(&followed->carried.items[i]);
    ser_vector_free(&followed->carried);
}

/* --- questions ------------------------------------------------------------------------------ */

bool ser_carried_is_followed(const ser_carried *carried, const ser_followed *followed)
{
    for (size_t i = 0; i < carried->loads.count; i++)
        if (!ser_followed_key(followed, carried->loads.items[i]))
            return false;
    return true;
}

bool ser_carried_passes(const ser_carried *carried, LLVMValueRef value)
{
    return ser_values_have(&carried->phis, value);
}

const ser_carried *ser_carried_of(const ser_followed *followed, LLVMValueRef value)
{
    for (size_t i = 0; i < followed->carried.count; i++) {
        const ser_carried *carried = &followed->carried.items[i];
        bool is_load = carried->step == carried->load; /* which has a key */
        if (((carried->step == value && !is_load) || ser_values_have(&carried->phis, value)) &&
            ser_carried_is_followed(carried, followed))
            return carried;
    }
    return NULL;
}

const ser_carried *ser_carried_into(const ser_followed *followed, LLVMValueRef user,
                                    LLVMValueRef value, LLVMValueRef load)
{
    for (size_t i = 0; i < followed->carried.count; i++) {
        const ser_carried *carried = &followed->carried.items[i];
        bool is_step = value == carried->step && ser_values_have(&carried->phis, user);
        if ((is_step || ser_values_have(&carried->inner, user)) &&
            ser_values_have(&carried->loads, load) && ser_carried_is_followed(carried, followed))
            return carried;
    }
    return NULL;
}
