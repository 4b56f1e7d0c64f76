/* SPDX-License-Identifier: MIT */
/*
 * What the sites of a module's accesses say: every read is followed (flows.c), and what was found
 * is kept by the address of its instruction. ser_value_flows_init.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/abi.h"
#include "instrument/accesses/body.h"
#include "instrument/accesses/fixed.h"
#include "instrument/accesses/flows.h"
#include "instrument/code/before_use.h"
#include "instrument/code/decisions.h"
#include "instrument/guards/guards.h"

static bool reads(const ser_unit *unit, LLVMValueRef instruction)
{
    return LLVMIsALoadInst(instruction) ||
           (LLVMIsAAtomicRMWInst(instruction) && ser_is_update_of_abi(unit, instruction));
}

static void note_text(ser_value_flows *flows, LLVMValueRef access, const char *text,
                      const ser_operands *operands)
{
    ser_names_add(flows->guarded, (const char *)&access, sizeof access);
    ser_vector_push(&flows->guards, ser_copy_text(text, strlen(text)));
    ser_vector_push(&flows->operands, *operands);
}

/* If it is data only: also all stores that it reaches. */
static bool note_data(ser_value_flows *flows, ser_unit *unit, ser_locality *locality,
                      LLVMValueRef read)
{
    if (!ser_is_data_only(unit, locality, read))
        return false;
    ser_names_add(flows->data, (const char *)&read, sizeof read);
    ser_find_receivers(unit, locality, read, flows->receivers);
    return true;
}

/* Not for comparisons of what recording costs (bench/symbolic/cost). */
static bool are_texts_wanted(void)
{
    const char *text = getenv("SERIATIM_GUARDS");
    return !text || strcmp(text, "0") != 0;
}

static void note_guards(ser_value_flows *flows, const ser_followed *followed,
                        ser_locality *locality, LLVMValueRef load, bool is_data)
{
    char text[SER_GUARDS_SIZE], all[SER_GUARDS_SIZE + 16];
    ser_operands operands;
    if (!are_texts_wanted())
        return;
    unsigned steps = LLVMIsALoadInst(load) && !is_data
                         ? ser_steps_before_use(followed->unit, locality, load)
                         : 0;
    bool has_guards = ser_guards_of_load(followed->unit, followed, load, text, &operands);
    if (!has_guards && !steps)
        return;
    size_t length = steps ? (size_t)snprintf(all, sizeof all, "^%u", steps) : 0;
    snprintf(all + length, sizeof all - length, "%s%s", length && has_guards ? ";" : "",
             has_guards ? text : "");
    note_text(flows, load, all, &operands);
}

static void note_decision(ser_value_flows *flows, LLVMValueRef read, bool is_data)
{
    ser_read_decision found = ser_find_decision(&flows->actors, read);
    if (found.decides)
        ser_names_add(flows->decisions, (const char *)&read, sizeof read);
    if (found.is_given || (found.is_handed && (is_data || found.decides)))
        ser_names_add(flows->handed, (const char *)&read, sizeof read);
}

static void note_writes(ser_value_flows *flows, LLVMValueRef read)
{
    bool is_blind;
    if (ser_writes_anyway(&flows->actors, read, &is_blind))
        ser_names_add(flows->anyway, (const char *)&read, sizeof read);
    if (is_blind)
        ser_names_add(flows->blind, (const char *)&read, sizeof read);
}

static void note(ser_value_flows *flows, const ser_followed *followed, ser_locality *locality,
                 LLVMValueRef instruction, bool may_decide)
{
    ser_unit *unit = followed->unit;
    if (!reads(unit, instruction) || !ser_is_recorded(unit, locality, instruction))
        return;
    bool is_data = note_data(flows, unit, locality, instruction);
    if (may_decide)
        note_decision(flows, instruction, is_data);
    if (!is_data)
        note_writes(flows, instruction);
    note_guards(flows, followed, locality, instruction, is_data);
}

/* Once all reads were followed. One that has guards may reach stores, too: these have texts. */
static void note_fixed(ser_value_flows *flows, ser_unit *unit, ser_locality *locality,
                       LLVMValueRef store)
{
    if (LLVMIsAStoreInst(store) && ser_is_recorded(unit, locality, store) &&
        ser_names_find(flows->receivers, (const char *)&store, sizeof store) == SER_NO_NAME &&
        !ser_value_flows_guards(flows, store) && ser_stores_own_value(unit, locality, store))
        ser_names_add(flows->fixed, (const char *)&store, sizeof store);
}

static void look_at_stores(ser_value_flows *flows, ser_unit *unit, ser_locality *locality,
                           LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            note_fixed(flows, unit, locality, instruction);
}

static void look_through(ser_value_flows *flows, ser_unit *unit, ser_locality *locality,
                         LLVMValueRef function)
{
    bool has_decisions = ser_has_decisions(&flows->actors, function);
    ser_followed followed;
    ser_followed_init(&followed, unit, locality, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction))
            note(flows, &followed, locality, instruction, has_decisions);
    for (size_t i = 0; i < followed.stores.count && are_texts_wanted(); i++)
        if (*followed.stores.items[i].text && LLVMIsAStoreInst(followed.stores.items[i].store))
            note_text(flows, followed.stores.items[i].store, followed.stores.items[i].text,
                      &followed.stores.items[i].operands);
    ser_followed_fini(&followed);
}

void ser_value_flows_init(ser_value_flows *flows, ser_unit *unit, ser_locality *locality)
{
    *flows = (ser_value_flows){.data = ser_names_create(),
                               .receivers = ser_names_create(),
                               .fixed = ser_names_create(),
                               .guarded = ser_names_create(),
                               .decisions = ser_names_create(),
                               .handed = ser_names_create(),
                               .anyway = ser_names_create(),
                               .blind = ser_names_create()};
    ser_actors_init(&flows->actors);
    for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(unit, function))
            look_through(flows, unit, locality, function);
    for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function;
         function = LLVMGetNextFunction(function))
        if (ser_may_instrument(unit, function))
            look_at_stores(flows, unit, locality, function);
}

void ser_value_flows_fini(ser_value_flows *flows)
{
    ser_names_destroy(flows->data);
    ser_names_destroy(flows->receivers);
    ser_names_destroy(flows->fixed);
    ser_names_destroy(flows->decisions);
    ser_names_destroy(flows->handed);
    ser_names_destroy(flows->anyway);
    ser_names_destroy(flows->blind);
    ser_actors_fini(&flows->actors);
    ser_names_destroy(flows->guarded);
    for (size_t i = 0; i < flows->guards.count; i++)
        free(flows->guards.items[i]);
    ser_vector_free(&flows->guards);
    ser_vector_free(&flows->operands);
}

const ser_operands *ser_value_flows_operands(const ser_value_flows *flows, LLVMValueRef access)
{
    uint32_t number = ser_names_find(flows->guarded, (const char *)&access, sizeof access);
    return number == SER_NO_NAME ? NULL : &flows->operands.items[number];
}

const char *ser_value_flows_guards(const ser_value_flows *flows, LLVMValueRef access)
{
    uint32_t number = ser_names_find(flows->guarded, (const char *)&access, sizeof access);
    return number == SER_NO_NAME ? NULL : flows->guards.items[number];
}

static bool is_atomic(LLVMValueRef access)
{
    if (LLVMIsAAtomicRMWInst(access) || LLVMIsAAtomicCmpXchgInst(access))
        return true; /* a compare-exchange that fails is a read */
    return (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) &&
           LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

/* Is it zero, whatever way the code has come? */
static bool is_zero(LLVMValueRef value)
{
    if (!LLVMIsAPHINode(value))
        return LLVMIsConstant(value) && LLVMIsNull(value);
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(value, i);
        if (!LLVMIsConstant(incoming) || !LLVMIsNull(incoming))
            return false;
    }
    return true;
}

/* An exchange whose old value nobody wants, or an addition, is no try to take anything. */
static bool may_take(LLVMValueRef access)
{
    if (LLVMIsAAtomicCmpXchgInst(access))
        return is_zero(LLVMGetOperand(access, 1));
    if (!LLVMIsAAtomicRMWInst(access) || LLVMGetAtomicRMWBinOp(access) != LLVMAtomicRMWBinOpXchg ||
        !LLVMGetFirstUse(access))
        return false;
    LLVMValueRef wanted = LLVMGetOperand(access, 1);
    return LLVMIsConstant(wanted) && !LLVMIsNull(wanted);
}

static bool has(const ser_names *accesses, LLVMValueRef access)
{
    return ser_names_find(accesses, (const char *)&access, sizeof access) != SER_NO_NAME;
}

unsigned ser_value_flows_flags(const ser_value_flows *flows, const ser_unit *unit,
                               LLVMValueRef access)
{
    bool updates = LLVMIsAAtomicRMWInst(access) && ser_is_update_of_abi(unit, access);
    return (has(flows->data, access) ? SER_ABI_SITE_DATA : 0U) |
           (updates ? SER_ABI_SITE_MODIFIES : 0U) |
           (has(flows->decisions, access) ? SER_ABI_SITE_DECIDES : 0U) |
           (has(flows->handed, access) ? SER_ABI_SITE_HANDED : 0U) |
           (has(flows->anyway, access) ? SER_ABI_SITE_ANYWAY : 0U) |
           (has(flows->blind, access) ? SER_ABI_SITE_BLIND : 0U) |
           (has(flows->fixed, access) ? SER_ABI_SITE_FIXED : 0U) |
           (is_atomic(access) ? SER_ABI_SITE_ATOMIC : 0U) |
           (may_take(access) ? SER_ABI_SITE_TAKES : 0U);
}
