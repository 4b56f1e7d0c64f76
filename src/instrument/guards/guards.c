/* SPDX-License-Identifier: MIT */
/*
 * follow() goes from use to use; each value that is reached has an expression over the load.
 * Cost: O(uses that are followed), at most MOST_USES; at most SER_MOST_TEXT_GUARDS guards and
 * SER_DEEPEST_GUARD operations in a row.
 */
#include "instrument/guards/guards.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "instrument/accesses/flows.h"
#include "instrument/code/locals.h"
#include "instrument/code/operations.h"
#include "instrument/guards/carried.h"
#include "instrument/guards/guard_expression.h"
#include "instrument/guards/guard_list.h"
#include "instrument/guards/printed.h"
#include "instrument/instrument.h"
#include "instrument/unrecorded.h"

enum { MOST_USES = 400 };

typedef struct guard_walk {
    ser_unit *unit;
    const ser_followed *followed;
    LLVMValueRef load;
    bool is_named;         /* by a store, or a guard over several loads */
    bool is_printed;       /* somewhere, which decides nothing */
    ser_guard_list list;   /* what was found */
    LLVMValueRef user;     /* the use at hand */
    ser_values carried;    /* steps of loops that were followed */
    unsigned uses;         /* that were followed */
    LLVMValueRef function; /* of the load */
    ser_operands operands; /* parameters of it with which the value is compared */
} guard_walk;

static bool follow(guard_walk *walk, LLVMValueRef value, const ser_guard_expression *as);

/* A guard that distinguishes all values would accept equal values only, which need no guards. */
static bool add_guard(guard_walk *walk, const ser_guard_expression *as)
{
    bool is_late = as->carried && !as->is_copied && ser_carried_is_over(as->carried, walk->user);
    return !as->tells_apart && ser_guard_list_add(&walk->list, as->text, is_late);
}

/* One guard for each place that cases lead to, but for that of all others; if there is no room for
 * them, the value itself. */
static bool add_cases(guard_walk *walk, LLVMValueRef branch, const ser_guard_expression *as)
{
    const ser_guard_list before = walk->list;
    bool good = true;
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(branch) && good; i += 2) {
        ser_guard_expression one_of;
        good = !ser_switch_is_first(branch, i) ||
               (ser_switch_express(walk->unit, branch, i, as, &one_of) && add_guard(walk, &one_of));
    }
    if (good)
        return true;
    walk->list = before;
    walk->list.text[walk->list.length] = '\0';
    return add_guard(walk, as);
}

/* The words for the other operand: a constant, a parameter, or what was computed before the load.
 */
static bool name_operand(guard_walk *walk, LLVMValueRef other, const ser_guard_expression *as,
                         char *words)
{
    uint64_t constant;
    ser_expression computed;
    if (ser_is_constant(walk->unit, other, &constant)) {
        snprintf(words, SER_FOLLOWED_SIZE, "%" PRIu64, constant);
        return true;
    }
    LLVMValueRef parameter = ser_parameter_of(other);
    if (!ser_express_operand(&computed, walk->followed, parameter ? parameter : other,
                             as->is_moved ? NULL : walk->load, &walk->operands))
        return false;
    walk->operands = computed.operands;
    snprintf(words, SER_FOLLOWED_SIZE, "%s", computed.text);
    return true;
}

/* The same of a carried value. If the text names a load that comes later, it is that one's. */
static bool follow_carried_joint(guard_walk *walk, LLVMValueRef user,
                                 const ser_guard_expression *as)
{
    ser_expression joint;
    ser_guard_expression result = *as;
    result.depth++;
    bool good = !as->is_copied && result.depth < SER_DEEPEST_GUARD &&
                (as->is_moved ? ser_express_late : ser_express)(&joint, walk->followed, user,
                                                                walk->load, &walk->operands);
    if (!good || !ser_carried_names(walk->followed, joint.text, walk->load))
        return add_guard(walk, as);
    if (!ser_carried_is_last(as->carried, walk->followed, joint.text))
        return true;
    walk->operands = joint.operands;
    result.tells_apart = false;
    snprintf(result.text, sizeof result.text, "%s", joint.text);
    return follow(walk, user, &result);
}

/* With other loads, or with what is computed from constants and the parameter. What only goes into
 * followed stores may also depend on numbers that are not known at the load yet. */
static bool follow_joint(guard_walk *walk, LLVMValueRef user, const ser_guard_expression *as)
{
    ser_expression joint;
    ser_guard_expression result = {.depth = as->depth + 1};
    if (as->carried)
        return follow_carried_joint(walk, user, as);
    if (result.depth >= SER_DEEPEST_GUARD || !ser_followed_key(walk->followed, walk->load) ||
        !ser_express(&joint, walk->followed, user, walk->load, &walk->operands) ||
        !ser_expression_names(joint.text, ser_followed_key(walk->followed, walk->load)) ||
        (as->is_moved && strchr(joint.text, '$'))) {
        bool is_stored = ser_followed_only_stores(walk->followed, user, walk->load);
        walk->is_named |= is_stored;
        return is_stored || add_guard(walk, as);
    }
    walk->operands = joint.operands;
    if (joint.loads == 1)
        ser_expression_name_value(joint.text, ser_followed_key(walk->followed, walk->load));
    else
        walk->is_named = true;
    snprintf(result.text, sizeof result.text, "%s", joint.text);
    return follow(walk, user, &result);
}

/* With a constant or a parameter, on either side. */
static bool follow_binary(guard_walk *walk, LLVMValueRef user, LLVMValueRef value,
                          const ser_guard_expression *as)
{
    const char *name = ser_operation_name(user);
    unsigned width = ser_scalar_width(walk->unit, LLVMTypeOf(value));
    bool is_left = LLVMGetOperand(user, 0) == value;
    ser_guard_expression result;
    char words[SER_FOLLOWED_SIZE], before[SER_FOLLOWED_SIZE + 2] = "",
                                                              after[SER_FOLLOWED_SIZE + 32];
    if (!name || !name_operand(walk, LLVMGetOperand(user, is_left ? 1 : 0), as, words))
        return name ? follow_joint(walk, user, as) : add_guard(walk, as);
    if (is_left) {
        snprintf(after, sizeof after, ",%s,%s%u", words, name, width);
    } else {
        snprintf(before, sizeof before, "%s,", words);
        snprintf(after, sizeof after, ",%s%u", name, width);
    }
    return ser_guard_extend(&result, as, before, after, ser_operation_loses(user))
               ? follow(walk, user, &result)
               : add_guard(walk, as);
}

/* Another width or type, the same bits as far as there are any. */
static bool follow_cast(guard_walk *walk, LLVMValueRef user, LLVMValueRef value,
                        const ser_guard_expression *as)
{
    unsigned from = ser_scalar_width(walk->unit, LLVMTypeOf(value));
    unsigned to = ser_scalar_width(walk->unit, LLVMTypeOf(user));
    bool extends_sign = LLVMGetInstructionOpcode(user) == LLVMSExt;
    ser_guard_expression result;
    char after[32] = "";
    if (to == 0 || ser_promises_more(user))
        return add_guard(walk, as);
    if (extends_sign && to < 64)
        snprintf(after, sizeof after, ",sext%u,trunc%u", from, to);
    else if (extends_sign)
        snprintf(after, sizeof after, ",sext%u", from);
    else if (to < from)
        snprintf(after, sizeof after, ",trunc%u", to);
    return ser_guard_extend(&result, as, "", after, to < from) ? follow(walk, user, &result)
                                                               : add_guard(walk, as);
}

/* --- values that go on under another name ------------------------------------------ A phi, a
 * local variable, a parameter or a result may also hold other values at times. Those do not
 * depend on what was read, and treating them as if they did only adds guards. */

static bool follow_same(guard_walk *walk, LLVMValueRef value, const ser_guard_expression *as)
{
    ser_guard_expression same;
    return ser_guard_extend(&same, as, "", "", false) ? follow(walk, value, &same)
                                                      : add_guard(walk, as);
}

static bool follow_on(guard_walk *walk, LLVMValueRef value, const ser_guard_expression *as)
{
    ser_guard_expression moved = *as;
    moved.is_moved = moved.is_copied = true;
    return follow_same(walk, value, &moved);
}

static bool follow_local(guard_walk *walk, LLVMValueRef store, const ser_guard_expression *as)
{
    LLVMValueRef local = LLVMGetOperand(store, 1);
    if (ser_followed_stores(walk->followed, store, walk->load)) {
        walk->is_named = true;
        return true;
    }
    if (!LLVMIsAStoreInst(store) || !LLVMIsAAllocaInst(local) || !ser_is_simple_local(local))
        return add_guard(walk, as);
    bool good = true;
    for (LLVMUseRef each = LLVMGetFirstUse(local); each && good; each = LLVMGetNextUse(each)) {
        LLVMValueRef load = LLVMIsALoadInst(LLVMGetUser(each));
        LLVMValueRef seen = load ? ser_store_before(load) : NULL;
        if (load && seen == store)
            good = follow_same(walk, load, as);
        else if (load && !seen)
            good = follow_on(walk, load, as);
    }
    return good;
}

static bool follow_argument(guard_walk *walk, LLVMValueRef call, LLVMValueRef value,
                            const ser_guard_expression *as)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    unsigned arguments = LLVMGetNumArgOperands(call);
    bool good = function && ser_is_body_known(walk->unit, function) &&
                arguments == LLVMCountParams(function);
    if (!good)
        return add_guard(walk, as);
    for (unsigned i = 0; i < arguments && good; i++)
        if (LLVMGetOperand(call, i) == value)
            good = follow_on(walk, LLVMGetParam(function, i), as);
    return good;
}

static bool follow_result(guard_walk *walk, LLVMValueRef function, const ser_guard_expression *as)
{
    bool good = ser_has_known_callers(function);
    if (!good)
        return add_guard(walk, as);
    for (LLVMUseRef each = LLVMGetFirstUse(function); each && good; each = LLVMGetNextUse(each))
        good = ser_is_in_copy(LLVMGetUser(each)) || follow_on(walk, LLVMGetUser(each), as);
    return good;
}

static bool follow_call(guard_walk *walk, LLVMValueRef call, LLVMValueRef value,
                        const ser_guard_expression *as)
{
    bool expects = ser_starts_with(ser_called_name(call), "llvm.expect.");
    if (expects && LLVMGetOperand(call, 0) == value)
        return follow_same(walk, call, as);
    if (ser_is_extreme(call))
        return follow_joint(walk, call, as);
    if (ser_is_only_printed(call, value))
        return walk->is_printed = true;
    return follow_argument(walk, call, value, as);
}

/* Into the step of a loop, whose uses are followed once, as those of its last load. */
static bool follow_rounds(guard_walk *walk, const ser_carried *carried)
{
    ser_guard_expression value = {.carried = carried};
    walk->is_named = true;
    if (carried->load != walk->load || ser_values_have(&walk->carried, carried->step))
        return true;
    ser_vector_push(&walk->carried, carried->step);
    snprintf(value.text, sizeof value.text, "$%" PRIu64, carried->number);
    bool good = carried->step == carried->load || follow(walk, carried->step, &value);
    value.is_moved = true;
    for (size_t i = 0; i < carried->phis.count && good; i++)
        good = follow(walk, carried->phis.items[i], &value);
    return good;
}

/* Also of those that the value has part in as a condition. */
static bool follow_all_rounds(guard_walk *walk)
{
    bool good = true;
    for (size_t i = 0; i < walk->followed->carried.count && good; i++) {
        const ser_carried *carried = &walk->followed->carried.items[i];
        if (ser_values_have(&carried->loads, walk->load) &&
            ser_carried_is_followed(carried, walk->followed))
            good = follow_rounds(walk, carried);
    }
    return good;
}

/* --- uses --------------------------------------------------------------------------- */

static bool use(guard_walk *walk, LLVMValueRef user, LLVMValueRef value,
                const ser_guard_expression *as)
{
    const ser_carried *into = ser_carried_into(walk->followed, user, value, walk->load);
    walk->user = user;
    if (into)
        return follow_rounds(walk, into);
    if (as->carried && ser_carried_passes(as->carried, user))
        return true; /* of it itself: all its phis are followed */
    if (!LLVMIsAInstruction(user))
        return add_guard(walk, as);
    if (ser_is_cast(user))
        return follow_cast(walk, user, value, as);
    if (ser_converts(user))
        return follow_joint(walk, user, as);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMSwitch:
        return add_cases(walk, user, as);
    case LLVMFreeze:
        return follow_same(walk, user, as);
    case LLVMPHI:
        return follow_on(walk, user, as);
    case LLVMSelect:
    case LLVMFNeg:
        return follow_joint(walk, user, as);
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) == value && LLVMGetOperand(user, 0) != value
                   ? follow_local(walk, user, as)
                   : add_guard(walk, as);
    case LLVMStore:
        return LLVMGetOperand(user, 0) == value ? follow_local(walk, user, as)
                                                : add_guard(walk, as);
    case LLVMCall:
    case LLVMInvoke:
        return follow_call(walk, user, value, as);
    case LLVMRet:
        return follow_result(walk, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), as);
    default:
        return follow_binary(walk, user, value, as);
    }
}

static bool follow(guard_walk *walk, LLVMValueRef value, const ser_guard_expression *as)
{
    bool good = true;
    for (LLVMUseRef each = LLVMGetFirstUse(value); each && good; each = LLVMGetNextUse(each))
        good = walk->uses++ < MOST_USES && use(walk, LLVMGetUser(each), value, as);
    return good;
}

/* What an update writes, with the same parameters as its guards. */
static bool add_update(guard_walk *walk)
{
    ser_expression written;
    if (!ser_followed_store_of(walk->followed, walk->load) ||
        !ser_express_update(&written, walk->followed, walk->load, &walk->operands))
        return false;
    walk->operands = written.operands;
    return ser_guard_list_put_before(&walk->list, "=%s", written.text);
}

/* What each execution makes of carried values, with the same parameters as the guards. */
static bool add_rounds(guard_walk *walk)
{
    ser_expression rounds;
    if (!ser_express_rounds(&rounds, walk->followed, walk->load, &walk->operands))
        return false;
    walk->operands = rounds.operands;
    return ser_guard_list_put_before(&walk->list, "%s", rounds.text);
}

bool ser_guards_of_load(ser_unit *unit, const ser_followed *followed, LLVMValueRef load,
                        char text[SER_GUARDS_SIZE], ser_operands *operands)
{
    guard_walk walk = {.unit = unit,
                       .followed = followed,
                       .load = load,
                       .list = {.text = text, .size = SER_GUARDS_SIZE},
                       .function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load))};
    const ser_guard_expression value = {.text = "v", .tells_apart = true};
    unsigned width = ser_scalar_width(unit, LLVMTypeOf(load));
    bool has_value = width == 8 || width == 16 || width == 32 || width == 64;
    *text = '\0';
    bool good = has_value && follow(&walk, load, &value);
    if (LLVMIsAAtomicRMWInst(load))
        good = good && add_update(&walk);
    good = good && follow_all_rounds(&walk);
    if (walk.carried.count > 0)
        good = good && add_rounds(&walk);
    ser_vector_free(&walk.carried);
    const ser_guard_expression anything = {.text = "0"};
    if (good && walk.is_printed && walk.list.length == 0 && !walk.is_named)
        good = add_guard(&walk, &anything);
    good = good && (walk.list.length > 0 || walk.is_named) &&
           (!walk.is_named ||
            ser_guard_list_put_before(&walk.list, "@%" PRIu64, ser_followed_key(followed, load)));
    *operands = good ? walk.operands : (ser_operands){0};
    ser_operands_trim(operands, text);
    return good;
}
