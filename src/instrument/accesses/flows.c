/* SPDX-License-Identifier: MIT */
/*
 * Each read is followed for itself, from use to use, until something is reached that forbids it;
 * mostly that is soon. Cost: O(uses that are followed), at most MOST_VALUES values a read.
 */
#include "instrument/accesses/flows.h"

#include "contract/abi.h"
#include "instrument/accesses/body.h"
#include "instrument/accesses/decisions.h"
#include "instrument/code/guards.h"
#include "instrument/unrecorded.h"

enum { MOST_VALUES = 400 };

/* Values that hold what was read, or something computed from it. */
typedef struct value_walk {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *seen;
    ser_values values;
    LLVMValueRef may_leave; /* what this function returns is not followed */
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
    if (ser_is_recorded(walk->unit, walk->locality, store))
        return ser_may_instrument(walk->unit, function_of(store));
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

/* Into the parameters; the callee is no argument, and neither are operands behind them. */
static bool may_pass(value_walk *walk, LLVMValueRef call, LLVMValueRef value)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    unsigned arguments = LLVMGetNumArgOperands(call);
    if (!function || !ser_is_body_known(walk->unit, function))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(call); i++) {
        if (LLVMGetOperand(call, i) != value)
            continue;
        if (i >= arguments || i >= LLVMCountParams(function) || ser_type_passed_by_copy(call, i))
            return false;
        follow(walk, LLVMGetParam(function, i));
    }
    return true;
}

/* To all callers, if they are all here. */
static bool may_return(value_walk *walk, LLVMValueRef function)
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
    }
    return true;
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
    follow(walk, value);
    bool good = finish(walk);
    ser_vector_free(&walk->values);
    ser_names_destroy(walk->seen);
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

/* --- the module --------------------------------------------------------------- */

static bool reads(const ser_unit *unit, LLVMValueRef instruction)
{
    return LLVMIsALoadInst(instruction) ||
           (LLVMIsAAtomicRMWInst(instruction) && ser_is_update_of_abi(unit, instruction));
}

static void note_guards(ser_flows *flows, ser_unit *unit, LLVMValueRef load)
{
    char text[SER_GUARDS_SIZE];
    LLVMValueRef operand;
    if (!ser_guards_of_load(unit, load, text, &operand))
        return;
    char *copy = ser_alloc(strlen(text) + 1, 1);
    ser_names_add(flows->guarded, (const char *)&load, sizeof load);
    ser_vector_push(&flows->guards, strcpy(copy, text));
    ser_vector_push(&flows->operands, operand);
}

static void note(ser_flows *flows, ser_unit *unit, ser_locality *locality, LLVMValueRef instruction,
                 bool may_decide)
{
    if (!reads(unit, instruction) || !ser_is_recorded(unit, locality, instruction))
        return;
    if (ser_is_data_only(unit, locality, instruction))
        ser_names_add(flows->data, (const char *)&instruction, sizeof instruction);
    else if (may_decide && ser_decides(&flows->actors, instruction))
        ser_names_add(flows->decisions, (const char *)&instruction, sizeof instruction);
    if (LLVMIsALoadInst(instruction))
        note_guards(flows, unit, instruction);
}

static void look_through(ser_flows *flows, ser_unit *unit, ser_locality *locality,
                         LLVMValueRef function)
{
    bool has_decisions = ser_has_decisions(&flows->actors, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            note(flows, unit, locality, instruction, has_decisions);
}

void ser_flows_init(ser_flows *flows, ser_unit *unit, ser_locality *locality)
{
    *flows = (ser_flows){
        .data = ser_names_create(), .guarded = ser_names_create(), .decisions = ser_names_create()};
    ser_actors_init(&flows->actors);
    for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(unit, function))
            look_through(flows, unit, locality, function);
}

void ser_flows_fini(ser_flows *flows)
{
    ser_names_destroy(flows->data);
    ser_names_destroy(flows->decisions);
    ser_actors_fini(&flows->actors);
    ser_names_destroy(flows->guarded);
    for (size_t i = 0; i < flows->guards.count; i++)
        free(flows->guards.items[i]);
    ser_vector_free(&flows->guards);
    ser_vector_free(&flows->operands);
}

LLVMValueRef ser_flows_operand(const ser_flows *flows, LLVMValueRef access)
{
    uint32_t number = ser_names_find(flows->guarded, (const char *)&access, sizeof access);
    return number == SER_NO_NAME ? NULL : flows->operands.items[number];
}

const char *ser_flows_guards(const ser_flows *flows, LLVMValueRef access)
{
    uint32_t number = ser_names_find(flows->guarded, (const char *)&access, sizeof access);
    return number == SER_NO_NAME ? NULL : flows->guards.items[number];
}

unsigned ser_flows_flags(const ser_flows *flows, const ser_unit *unit, LLVMValueRef access)
{
    bool updates = LLVMIsAAtomicRMWInst(access) && ser_is_update_of_abi(unit, access);
    bool is_data = ser_names_find(flows->data, (const char *)&access, sizeof access) != SER_NO_NAME;
    bool decides =
        ser_names_find(flows->decisions, (const char *)&access, sizeof access) != SER_NO_NAME;
    return (is_data ? SER_ABI_SITE_DATA : 0U) | (updates ? SER_ABI_SITE_MODIFIES : 0U) |
           (decides ? SER_ABI_SITE_DECIDES : 0U);
}
