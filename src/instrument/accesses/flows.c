/* SPDX-License-Identifier: MIT */
/*
 * Each read is followed by itself, from use to use, until a use is reached that is not data only;
 * usually that is soon. Cost: O(uses that are followed), at most MOST_VALUES values a read.
 */
#include "instrument/accesses/flows.h"

#include "instrument/accesses/body.h"
#include "instrument/accesses/fixed.h"
#include "instrument/unrecorded.h"

enum { MOST_VALUES = 400 };

/* Values that hold what was read, or something computed from it. */
typedef struct value_walk {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *seen;
    ser_values values;
    ser_names *receivers;   /* recorded stores that were reached; NULL: not wanted */
    ser_values calls;       /* that pass the value to functions */
    ser_names *sources;     /* functions that got it in another way than as a parameter */
    ser_names *returning;   /* functions that return it */
    LLVMValueRef may_leave; /* results of this function are not followed */
    bool leaves;            /* it returned something */
} value_walk;

static void follow(value_walk *walk, LLVMValueRef value)
{
    uint32_t count = ser_names_count(walk->seen);
    if (ser_names_add(walk->seen, (const char *)&value, sizeof value) == count)
        ser_vector_push(&walk->values, value);
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

/* --- locals ------------------------------------------------------------------ */

static bool is_marker(LLVMValueRef call)
{
    const char *name = ser_called_name(call);
    return ser_starts_with(name, "llvm.lifetime.") || ser_starts_with(name, "llvm.dbg.");
}

/* All that is read from a local, or from a part of it. False: it is used in other ways. */
static bool follow_local(value_walk *walk, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user)) {
            follow(walk, user);
        } else if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) {
            if (!follow_local(walk, user))
                return false;
        } else if (LLVMIsAStoreInst(user)) {
            if (LLVMGetOperand(user, 0) == pointer)
                return false;
        } else if (!LLVMIsACallInst(user) || !is_marker(user)) {
            return false;
        }
    }
    return true;
}

/* Into recorded memory, or into a local that can be followed. */
static bool may_store(value_walk *walk, LLVMValueRef store)
{
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    if (ser_is_recorded(walk->unit, walk->locality, store)) {
        if (walk->receivers)
            ser_names_add(walk->receivers, (const char *)&store, sizeof store);
        return ser_may_instrument(walk->unit, function_of(store));
    }
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) && follow_local(walk, pointer);
}

/* --- functions --------------------------------------------------------------- */

bool ser_is_body_known(ser_unit *unit, LLVMValueRef function)
{
    switch (LLVMGetLinkage(function)) {
    case LLVMExternalLinkage:
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMWeakODRLinkage:
        return ser_may_instrument(unit, function);
    default:
        return false;
    }
}

static bool has(const ser_names *functions, LLVMValueRef function)
{
    return ser_names_find(functions, (const char *)&function, sizeof function) != SER_NO_NAME;
}

static bool settle_return(value_walk *walk, LLVMValueRef function);

/* The function got the value by a call of its own, or reads it itself. */
static bool add_source(value_walk *walk, LLVMValueRef function)
{
    if (has(walk->sources, function))
        return true;
    ser_names_add(walk->sources, (const char *)&function, sizeof function);
    return settle_return(walk, function);
}

/* To all callers, if they are all here. */
static bool return_to_callers(value_walk *walk, LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (function == walk->may_leave)
        return walk->leaves = true;
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (ser_is_in_copy(user))
            continue;
        if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) ||
            LLVMGetCalledValue(user) != function)
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return false;
        follow(walk, user);
        if (!add_source(walk, function_of(user)))
            return false;
    }
    return true;
}

/* What came as a parameter goes back to where the call was. */
static bool settle_return(value_walk *walk, LLVMValueRef function)
{
    if (!has(walk->returning, function))
        return true;
    for (size_t i = 0; i < walk->calls.count; i++)
        if (LLVMGetCalledValue(walk->calls.items[i]) == function)
            follow(walk, walk->calls.items[i]);
    return !has(walk->sources, function) || return_to_callers(walk, function);
}

static bool may_return(value_walk *walk, LLVMValueRef function)
{
    ser_names_add(walk->returning, (const char *)&function, sizeof function);
    return settle_return(walk, function);
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Into the parameters; the callee is no argument, and neither are operands behind them. Of bodies
 * that other modules have, too, it is known that pointers are none of these values (fixed.h). */
static bool may_pass(value_walk *walk, LLVMValueRef call, LLVMValueRef value)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    unsigned arguments = LLVMGetNumArgOperands(call);
    if (!function || !ser_is_body_known(walk->unit, function) ||
        (is_pointer(value) && ser_shares_body(function)))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(call); i++) {
        if (LLVMGetOperand(call, i) != value)
            continue;
        if (i >= arguments || i >= LLVMCountParams(function) || ser_type_passed_by_copy(call, i))
            return false;
        follow(walk, LLVMGetParam(function, i));
    }
    ser_vector_push(&walk->calls, call);
    return settle_return(walk, function);
}

/* Intrinsics that compute, and do nothing else. */
static bool computes(const char *name)
{
    static const char *const stems[] = {
        "abs.",   "smax.",       "smin.", "umax.",  "umin.", "fabs.",   "sqrt.",    "fma.",
        "floor",  "fmuladd",     "ceil.", "trunc.", "rint.", "round.",  "copysign", "bswap",
        "ctpop.", "ctlz.",       "cttz.", "fshl.",  "fshr.", "maxnum.", "sadd.",    "minnum.",
        "uadd.",  "bitreverse.", "ssub.", "usub.",  "smul.", "umul.",   "expect.",  "nearbyint."};
    if (!ser_starts_with(name, "llvm."))
        return false;
    name += strlen("llvm.");
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (ser_starts_with(name, stems[i]))
            return true;
    return false;
}

static bool may_call(value_walk *walk, LLVMValueRef call, LLVMValueRef value)
{
    if (!computes(ser_called_name(call)))
        return may_pass(walk, call, value);
    follow(walk, call);
    return true;
}

/* --- uses -------------------------------------------------------------------- */

/* A division traps by zero, and the smallest number by minus one. */
static bool may_divide(value_walk *walk, LLVMValueRef division, LLVMValueRef value)
{
    LLVMValueRef divisor = LLVMGetOperand(division, 1);
    if (divisor == value || !LLVMIsAConstantInt(divisor) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) > 64 || LLVMConstIntGetZExtValue(divisor) == 0 ||
        LLVMConstIntGetSExtValue(divisor) == -1)
        return false;
    follow(walk, division);
    return true;
}

/* The operand of an update of recorded memory; not of one that is made of compare-exchanges. */
static bool may_update(value_walk *walk, LLVMValueRef update, LLVMValueRef value)
{
    return LLVMGetOperand(update, 0) != value &&
           ser_is_recorded(walk->unit, walk->locality, update) &&
           ser_may_instrument(walk->unit, function_of(update)) &&
           (LLVMIsAAtomicCmpXchgInst(update) ? LLVMGetOperand(update, 1) != value
                                             : ser_is_update_of_abi(walk->unit, update));
}

/* Is the use of the value harmless, as far as it shows here? */
static bool may_use(value_walk *walk, LLVMValueRef user, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(user))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
    switch (opcode) {
    case LLVMStore:
        return LLVMGetOperand(user, 1) != value && may_store(walk, user);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return may_update(walk, user, value);
    case LLVMCall:
    case LLVMInvoke:
        return may_call(walk, user, value);
    case LLVMRet:
        return may_return(walk, function_of(user));
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return may_divide(walk, user, value);
    case LLVMPHI:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMGetElementPtr: /* an address as long as it is only stored */
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
        break;
    default:
        if (!LLVMIsACastInst(user) && !LLVMIsABinaryOperator(user))
            return false;
    }
    follow(walk, user);
    return true;
}

/* What is read from values that were followed: is every use harmless? */
static bool finish(value_walk *walk)
{
    bool good = true;
    for (size_t i = 0; i < walk->values.count && good; i++) {
        LLVMValueRef value = walk->values.items[i];
        good = i < MOST_VALUES;
        for (LLVMUseRef use = LLVMGetFirstUse(value); use && good; use = LLVMGetNextUse(use))
            good = may_use(walk, LLVMGetUser(use), value);
    }
    return good;
}

static bool walk_from(value_walk *walk, LLVMValueRef value)
{
    walk->seen = ser_names_create();
    walk->sources = ser_names_create();
    walk->returning = ser_names_create();
    follow(walk, value);
    bool good = add_source(walk, function_of(value)) && finish(walk);
    ser_vector_free(&walk->values);
    ser_vector_free(&walk->calls);
    ser_names_destroy(walk->seen);
    ser_names_destroy(walk->sources);
    ser_names_destroy(walk->returning);
    return good;
}

bool ser_is_data_only(ser_unit *unit, ser_locality *locality, LLVMValueRef value)
{
    return walk_from(&(value_walk){.unit = unit, .locality = locality}, value);
}

bool ser_is_returned_as_data(ser_unit *unit, ser_locality *locality, LLVMValueRef value)
{
    value_walk walk = {.unit = unit, .locality = locality, .may_leave = function_of(value)};
    return walk_from(&walk, value) && walk.leaves;
}

void ser_find_receivers(ser_unit *unit, ser_locality *locality, LLVMValueRef value,
                        ser_names *receivers)
{
    walk_from(&(value_walk){.unit = unit, .locality = locality, .receivers = receivers}, value);
}
