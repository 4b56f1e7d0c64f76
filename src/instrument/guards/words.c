/* SPDX-License-Identifier: MIT */
/* Words of texts: which they name, and those for carried values (carried.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "instrument/code/operations.h"
#include "instrument/guards/carried.h"

static const char *find_word(const char *text, char sign, uint64_t number)
{
    char word[24];
    int length = snprintf(word, sizeof word, "%c%" PRIu64, sign, number);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if (at[length] < '0' || at[length] > '9')
            return at;
    return NULL;
}

bool ser_expression_names(const char *text, uint64_t key)
{
    return find_word(text, '@', key) != NULL;
}

void ser_expression_name_value(char *text, uint64_t key)
{
    char word[24];
    size_t length = (size_t)snprintf(word, sizeof word, "@%" PRIu64, key);
    char *at = strstr(text, word);
    *at = 'v';
    memmove(at + 1, at + length, strlen(at + length) + 1);
}

bool ser_carried_names(const ser_followed *followed, const char *text, LLVMValueRef load)
{
    for (size_t i = 0; i < followed->carried.count; i++) {
        const ser_carried *carried = &followed->carried.items[i];
        for (size_t j = 0; j < carried->loads.count; j++)
            if (carried->loads.items[j] == load && find_word(text, '$', carried->number))
                return true;
    }
    return false;
}

bool ser_carried_is_last(const ser_carried *carried, const ser_followed *followed, const char *text)
{
    for (size_t i = 0; i < followed->loads.count; i++) {
        LLVMValueRef load = followed->loads.items[i];
        uint64_t key = followed->keys.items[i];
        if (key && load != carried->load && find_word(text, '@', key) &&
            !ser_dominates(followed->dominance, load, carried->load))
            return false;
    }
    return true;
}

/* The flag of a phi. */
static LLVMValueRef flag_of(const ser_carried *carried, LLVMValueRef phi)
{
    for (size_t i = 0; i < carried->phis.count; i++)
        if (carried->phis.items[i] == phi)
            return carried->flags.items[i];
    return NULL;
}

static bool write_initial(ser_expression *to, const ser_followed *followed,
                          const ser_carried *carried)
{
    uint64_t number;
    if (ser_is_constant(followed->unit, carried->initial, &number))
        return ser_expression_write(to, "%" PRIu64, number);
    char letter = ser_operands_letter(&to->operands, carried->initial);
    return letter && ser_expression_write(to, "%c", letter);
}

/* "$17:p:0": the register, or before the first round the initial value. */
static bool write_with_flag(ser_expression *to, const ser_followed *followed,
                            const ser_carried *carried, LLVMValueRef phi)
{
    char letter = ser_operands_letter(&to->operands, flag_of(carried, phi));
    return letter && ser_expression_write(to, "$%" PRIu64 ":%c:", carried->number, letter) &&
           write_initial(to, followed, carried);
}

bool ser_express_carried(ser_expression *to, const ser_followed *followed,
                         const ser_carried *carried, LLVMValueRef value)
{
    if (!ser_expression_write(to, "%s", to->length ? "," : ""))
        return false;
    if (to->access && LLVMIsAAtomicRMWInst(to->access))
        return false;
    if (to->sets && to->sets != carried)
        return false; /* the two would have to be set in some order */
    if (to->sets)
        return write_with_flag(to, followed, carried, value);
    to->loads++;
    if (to->access == carried->load)
        return ser_expression_write(to, "$%" PRIu64, carried->number);
    if (to->is_late || !to->access) /* about another register: two loads would have to agree */
        return false;
    bool is_before = ser_dominates(followed->dominance, value, to->access);
    if (value == carried->step)
        return is_before && ser_expression_write(to, "$%" PRIu64, carried->number);
    if (is_before)
        return write_with_flag(to, followed, carried, value);
    return ser_carried_starts_behind(carried, followed, to->access) &&
           write_initial(to, followed, carried);
}

bool ser_express_rounds(ser_expression *to, const ser_followed *followed, LLVMValueRef load,
                        const ser_operands *operands)
{
    *to = (ser_expression){.access = load, .operands = *operands};
    for (size_t i = 0; i < followed->carried.count; i++) {
        const ser_carried *carried = &followed->carried.items[i];
        if (carried->load != load || !ser_carried_is_followed(carried, followed))
            continue;
        ser_expression one = {.access = load, .operands = to->operands, .sets = carried};
        if (!ser_express_part(&one, followed, carried->step) ||
            !ser_expression_write(to, "%s$%" PRIu64 "=%s", to->length ? ";" : "", carried->number,
                                  one.text))
            return false;
        to->operands = one.operands;
    }
    return to->length > 0;
}
