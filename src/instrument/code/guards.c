/* SPDX-License-Identifier: MIT */
/*
 * follow() goes from use to use; each value that is reached has an expression over the load.
 * Cost: O(uses that are followed), at most MOST_USES; at most MOST_GUARDS guards and DEEPEST
 * operations in a row.
 */
#include "instrument/code/guards.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "instrument/accesses/flows.h"
#include "instrument/code/locals.h"
#include "instrument/code/operations.h"
#include "instrument/code/printed.h"
#include "instrument/instrument.h"
#include "instrument/unrecorded.h"

enum { MOST_GUARDS = 16, DEEPEST = 12, MOST_USES = 400, EXPRESSION_SIZE = 160 };

/* An operation with a constant, or of one operand; "v" at first. */
typedef struct expression {
    char text[EXPRESSION_SIZE];
    unsigned depth;
    bool tells_apart; /* injective: different values have different results */
    bool is_moved;    /* it went on under another name: what was known at the load may be old */
} expression;

typedef struct guard_walk {
    ser_unit *unit;
    const ser_followed *followed;
    LLVMValueRef load;
    bool is_named;   /* by a store, or a guard over several loads */
    bool is_printed; /* somewhere, which decides nothing */
    char *text;      /* SER_GUARDS_SIZE: what was found */
    size_t length;
    unsigned count;
    unsigned uses;         /* that were followed */
    LLVMValueRef function; /* of the load */
    ser_operands operands; /* parameters of it with which the value is compared */
} guard_walk;

static bool follow(guard_walk *walk, LLVMValueRef value, const expression *as);

/* Is the guard among those that were found? */
static bool is_known(const guard_walk *walk, const char *guard)
{
    size_t length = strlen(guard);
    for (const char *at = walk->text; at < walk->text + walk->length;) {
        size_t known = strcspn(at, ";");
        if (known == length && memcmp(at, guard, length) == 0)
            return true;
        at += known + 1;
    }
    return false;
}

/* A guard that distinguishes all values would accept equal values only, which need no guards. */
static bool add_guard(guard_walk *walk, const expression *as)
{
    const char *guard = as->text;
    if (as->tells_apart)
        return false;
    if (is_known(walk, guard))
        return true;
    size_t room = SER_GUARDS_SIZE - walk->length;
    int length = snprintf(walk->text + walk->length, room, "%s%s", walk->count ? ";" : "", guard);
    if ((size_t)length >= room || walk->count == MOST_GUARDS) {
        walk->text[walk->length] = '\0'; /* a shorter one may come */
        return false;
    }
    walk->length += (size_t)length;
    walk->count++;
    return true;
}

/* The expression, with what is done to it; false if it is too long. `loses`: the result may be the
 * same for different values. */
static bool extend(expression *to, const expression *from, const char *before, const char *after,
                   bool loses)
{
    int length = snprintf(to->text, sizeof to->text, "%s%s%s", before, from->text, after);
    to->depth = from->depth + 1;
    to->tells_apart = from->tells_apart && !loses;
    to->is_moved = from->is_moved;
    return (size_t)length < sizeof to->text && to->depth < DEEPEST;
}

/* One guard for each case: is it that one? */
static bool add_cases(guard_walk *walk, LLVMValueRef branch, const expression *as)
{
    unsigned operands = (unsigned)LLVMGetNumOperands(branch);
    unsigned width = ser_number_width(walk->unit, LLVMTypeOf(LLVMGetOperand(branch, 0)));
    bool fits = operands / 2 + walk->count <= MOST_GUARDS;
    for (unsigned i = 2; i < operands && fits; i += 2) {
        expression equal;
        char after[48];
        uint64_t constant;
        fits = ser_is_constant(walk->unit, LLVMGetOperand(branch, i), &constant);
        snprintf(after, sizeof after, ",%" PRIu64 ",eq%u", constant, width);
        fits = fits && extend(&equal, as, "", after, true) && add_guard(walk, &equal);
    }
    return fits || add_guard(walk, as);
}

/* The parameter that a value is; without optimisation it is read from a local. */
static LLVMValueRef parameter_of(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) && LLVMIsAAllocaInst(LLVMGetOperand(value, 0)))
        value = ser_only_value_of_local(LLVMGetOperand(value, 0));
    return value && LLVMIsAArgument(value) ? value : NULL;
}

/* The words for the other operand: a constant, a parameter, or what was computed before the load.
 */
static bool name_operand(guard_walk *walk, LLVMValueRef other, const expression *as, char *words)
{
    uint64_t constant;
    ser_expression computed;
    if (ser_is_constant(walk->unit, other, &constant)) {
        snprintf(words, EXPRESSION_SIZE, "%" PRIu64, constant);
        return true;
    }
    LLVMValueRef parameter = parameter_of(other);
    if (!ser_express_operand(&computed, walk->followed, parameter ? parameter : other,
                             as->is_moved ? NULL : walk->load, &walk->operands))
        return false;
    walk->operands = computed.operands;
    snprintf(words, EXPRESSION_SIZE, "%s", computed.text);
    return true;
}

/* The key, which stands in the text once, becomes v. */
static void name_value(char *text, uint64_t key)
{
    char word[24];
    size_t length = (size_t)snprintf(word, sizeof word, "@%" PRIu64, key);
    char *at = strstr(text, word);
    *at = 'v';
    memmove(at + 1, at + length, strlen(at + length) + 1);
}

/* With other loads, or with what is computed from constants and the parameter. What only goes into
 * followed stores may also depend on numbers that are not known at the load yet. */
static bool follow_joint(guard_walk *walk, LLVMValueRef user, const expression *as)
{
    ser_expression joint;
    expression result = {.depth = as->depth + 1};
    if (result.depth >= DEEPEST || !ser_followed_key(walk->followed, walk->load) ||
        !ser_express(&joint, walk->followed, user, walk->load, &walk->operands) ||
        !ser_expression_names(joint.text, ser_followed_key(walk->followed, walk->load))) {
        bool is_stored = ser_followed_only_stores(walk->followed, user, walk->load);
        walk->is_named |= is_stored;
        return is_stored || add_guard(walk, as);
    }
    walk->operands = joint.operands;
    if (joint.loads == 1)
        name_value(joint.text, ser_followed_key(walk->followed, walk->load));
    else
        walk->is_named = true;
    snprintf(result.text, sizeof result.text, "%s", joint.text);
    return follow(walk, user, &result);
}

/* With a constant or a parameter, on either side. */
static bool follow_binary(guard_walk *walk, LLVMValueRef user, LLVMValueRef value,
                          const expression *as)
{
    const char *name = ser_operation_name(user);
    unsigned width = ser_scalar_width(walk->unit, LLVMTypeOf(value));
    bool is_left = LLVMGetOperand(user, 0) == value;
    expression result;
    char words[EXPRESSION_SIZE], before[EXPRESSION_SIZE + 2] = "", after[EXPRESSION_SIZE + 32];
    if (!name || !name_operand(walk, LLVMGetOperand(user, is_left ? 1 : 0), as, words))
        return name ? follow_joint(walk, user, as) : add_guard(walk, as);
    if (is_left) {
        snprintf(after, sizeof after, ",%s,%s%u", words, name, width);
    } else {
        snprintf(before, sizeof before, "%s,", words);
        snprintf(after, sizeof after, ",%s%u", name, width);
    }
    return extend(&result, as, before, after, ser_operation_loses(user))
               ? follow(walk, user, &result)
               : add_guard(walk, as);
}

/* Another width or type, the same bits as far as there are any. */
static bool follow_cast(guard_walk *walk, LLVMValueRef user, LLVMValueRef value,
                        const expression *as)
{
    unsigned from = ser_scalar_width(walk->unit, LLVMTypeOf(value));
    unsigned to = ser_scalar_width(walk->unit, LLVMTypeOf(user));
    bool extends_sign = LLVMGetInstructionOpcode(user) == LLVMSExt;
    expression result;
    char after[32] = "";
    if (to == 0 || ser_promises_more(user))
        return add_guard(walk, as);
    if (extends_sign && to < 64)
        snprintf(after, sizeof after, ",sext%u,trunc%u", from, to);
    else if (extends_sign)
        snprintf(after, sizeof after, ",sext%u", from);
    else if (to < from)
        snprintf(after, sizeof after, ",trunc%u", to);
    return extend(&result, as, "", after, to < from) ? follow(walk, user, &result)
                                                     : add_guard(walk, as);
}

/* --- values that go on under another name ------------------------------------------ A phi, a
 * local variable, a parameter or a result may also hold other values at times. Those do not
 * depend on what was read, and treating them as if they did only adds guards. */

static bool follow_same(guard_walk *walk, LLVMValueRef value, const expression *as)
{
    expression same;
    return extend(&same, as, "", "", false) ? follow(walk, value, &same) : add_guard(walk, as);
}

static bool follow_on(guard_walk *walk, LLVMValueRef value, const expression *as)
{
    expression moved = *as;
    moved.is_moved = true;
    return follow_same(walk, value, &moved);
}

static bool follow_local(guard_walk *walk, LLVMValueRef store, const expression *as)
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
                            const expression *as)
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

static bool follow_result(guard_walk *walk, LLVMValueRef function, const expression *as)
{
    bool good = ser_has_known_callers(function);
    if (!good)
        return add_guard(walk, as);
    for (LLVMUseRef each = LLVMGetFirstUse(function); each && good; each = LLVMGetNextUse(each))
        good = ser_is_in_copy(LLVMGetUser(each)) || follow_on(walk, LLVMGetUser(each), as);
    return good;
}

static bool follow_call(guard_walk *walk, LLVMValueRef call, LLVMValueRef value,
                        const expression *as)
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

/* --- uses --------------------------------------------------------------------------- */

static bool use(guard_walk *walk, LLVMValueRef user, LLVMValueRef value, const expression *as)
{
    if (!LLVMIsAInstruction(user))
        return add_guard(walk, as);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMSwitch:
        return add_cases(walk, user, as);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return follow_cast(walk, user, value, as);
    case LLVMFreeze:
        return follow_same(walk, user, as);
    case LLVMPHI:
        return follow_on(walk, user, as);
    case LLVMSelect:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFPExt:
    case LLVMFPTrunc:
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

static bool follow(guard_walk *walk, LLVMValueRef value, const expression *as)
{
    bool good = true;
    for (LLVMUseRef each = LLVMGetFirstUse(value); each && good; each = LLVMGetNextUse(each))
        good = walk->uses++ < MOST_USES && use(walk, LLVMGetUser(each), value, as);
    return good;
}

/* Puts something before the guards. */
static bool put_before(guard_walk *walk, const char *format, ...)
{
    char before[SER_FOLLOWED_SIZE + 24];
    va_list arguments;
    va_start(arguments, format);
    size_t length = (size_t)vsnprintf(before, sizeof before - 1, format, arguments);
    va_end(arguments);
    if (walk->length > 0)
        before[length++] = ';';
    if (walk->length + length >= SER_GUARDS_SIZE)
        return false;
    memmove(walk->text + length, walk->text, walk->length + 1);
    memcpy(walk->text, before, length);
    walk->length += length;
    return true;
}

/* What an update writes, with the same parameters as its guards. */
static bool add_update(guard_walk *walk)
{
    ser_expression written;
    if (!ser_followed_store_of(walk->followed, walk->load) ||
        !ser_express_update(&written, walk->followed, walk->load, &walk->operands))
        return false;
    walk->operands = written.operands;
    return put_before(walk, "=%s", written.text);
}

bool ser_guards_of_load(ser_unit *unit, const ser_followed *followed, LLVMValueRef load,
                        char text[SER_GUARDS_SIZE], ser_operands *operands)
{
    guard_walk walk = {.unit = unit,
                       .followed = followed,
                       .load = load,
                       .text = text,
                       .function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load))};
    const expression value = {.text = "v", .tells_apart = true};
    unsigned width = ser_scalar_width(unit, LLVMTypeOf(load));
    bool has_value = width == 8 || width == 16 || width == 32 || width == 64;
    *text = '\0';
    bool good = has_value && follow(&walk, load, &value);
    if (LLVMIsAAtomicRMWInst(load))
        good = good && add_update(&walk);
    const expression anything = {.text = "0"};
    if (good && walk.is_printed && walk.length == 0 && !walk.is_named)
        good = add_guard(&walk, &anything);
    good = good && (walk.length > 0 || walk.is_named) &&
           (!walk.is_named || put_before(&walk, "@%" PRIu64, ser_followed_key(followed, load)));
    *operands = good ? walk.operands : (ser_operands){0};
    ser_operands_trim(operands, text);
    return good;
}
