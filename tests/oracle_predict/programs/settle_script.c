/* SPDX-License-Identifier: MIT */
/*
 * What a compiler would know of a script's accesses: a value that is kept in a local is data only
 * if no branch and no index of the thread uses that local.
 */
#include "draw_values.h"
#include "script.h"
#include "trace/event.h"

/* Temporaries are loaded anew for every use, so that what follows decides; see put_load. */
static void settle_flows(script *s, size_t thread, const bool *decided)
{
    instruction *code = s->code[thread];
    for (size_t i = 0; i < s->length[thread]; i++) {
        uint8_t to = code[i].to;
        bool decides = to < SCRIPT_LOCALS && decided[to];
        for (size_t k = i + 1;
             to >= SCRIPT_LOCALS && to != NO_REGISTER && k < s->length[thread] && code[k].to != to;
             k++)
            decides |= (code[k].kind == SCRIPT_UNLESS && code[k].from == to) || code[k].index == to;
        decides |= to == SCRIPT_ROUND && decided[SCRIPT_TOTAL];
        if (decides)
            code[i].flow &= (uint16_t)~SER_FLOW_DATA;
    }
}

/* A value that is compared with one constant, and no more, has a guard. */
static void settle_guards(script *s, size_t thread)
{
    instruction *code = s->code[thread];
    for (size_t i = 0; i < s->length[thread]; i++) {
        uint8_t to = code[i].to, constant = NO_REGISTER;
        bool guarded = code[i].kind == SCRIPT_LOAD && to >= SCRIPT_LOCALS;
        for (size_t k = i + 1; guarded && k < s->length[thread] && code[k].to != to; k++) {
            bool compares = code[k].kind == SCRIPT_UNLESS && code[k].from == to;
            guarded = code[k].index != to && (compares || code[k].from != to) &&
                      (!compares || constant == NO_REGISTER || constant == code[k].constant);
            constant = compares ? code[k].constant : constant;
        }
        if (guarded && constant < 2)
            code[i].flow = ser_flow_with_guards(code[i].flow, GUARD_OF_ZERO + constant);
    }
}

/* Is what is loaded into the one register part of what the other holds? */
static bool gets(uint8_t held, uint8_t loaded)
{
    return loaded == held || (held == SCRIPT_TOTAL && loaded == SCRIPT_ROUND);
}

/* A store is fixed if nothing that the register ever gets is data only. */
static void settle_stores(script *s, size_t thread)
{
    instruction *code = s->code[thread];
    for (size_t i = 0; i < s->length[thread]; i++) {
        bool fixed = code[i].kind == SCRIPT_STORE;
        for (size_t k = 0; k < s->length[thread] && code[i].from != NO_REGISTER; k++)
            fixed = fixed && !(gets(code[i].from, code[k].to) && code[k].flow & SER_FLOW_DATA);
        if (fixed)
            code[i].flow |= SER_FLOW_FIXED;
    }
}

void settle_script(script *s, size_t thread, const bool *decided)
{
    settle_flows(s, thread, decided);
    settle_stores(s, thread);
    settle_guards(s, thread);
}
