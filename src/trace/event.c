/* SPDX-License-Identifier: MIT */
#include "trace/event.h"

#include <string.h>

static const char *const NAMES[] = {
#define SER_X(symbol, name, space, roles, verb) name,
    SER_OPERATIONS(SER_X)
#undef SER_X
};

const char *ser_op_name(ser_op op)
{
    return NAMES[op];
}

const char *ser_op_verb(ser_op op)
{
    static const char *const verbs[] = {
#define SER_X(symbol, name, space, roles, verb) verb,
        SER_OPERATIONS(SER_X)
#undef SER_X
    };
    return verbs[op];
}

ser_op ser_op_by_name(const char *name, size_t length)
{
    for (int op = 0; op < SER_OP_COUNT; op++)
        if (strlen(NAMES[op]) == length && memcmp(NAMES[op], name, length) == 0)
            return (ser_op)op;
    return SER_OP_COUNT;
}

static const struct {
    uint16_t bit;
    const char *name;
} FLOWS[] = {
    {SER_FLOW_DATA, "data"},       {SER_FLOW_MODIFIES, "modifies"},     {SER_FLOW_RAN, "ran"},
    {SER_FLOW_LEAVES, "leaves"},   {SER_FLOW_RETURNS, "returns"},       {SER_FLOW_ONCE, "once"},
    {SER_FLOW_LOOPS, "loops"},     {SER_FLOW_DISPATCHED, "dispatched"}, {SER_FLOW_CHAIN, "chain"},
    {SER_FLOW_KEEPS, "keeps"},     {SER_FLOW_SPINS, "spins"},           {SER_FLOW_FIXED, "fixed"},
    {SER_FLOW_DECIDES, "decides"}, {SER_FLOW_ATOMIC, "atomic"},         {SER_FLOW_HANDED, "handed"},
    {SER_FLOW_ANYWAY, "anyway"},   {SER_FLOW_BLIND, "blind"},
};

enum { FLOW_COUNT = sizeof FLOWS / sizeof *FLOWS };

/* The last six, of accesses, share their bits with those of other operations. */
const char *ser_flow_name(uint16_t bit, ser_op op)
{
    if (bit == SER_FLOW_BLIND && ser_op_reads(op))
        return "blind";
    if (bit == SER_FLOW_LOOPS && ser_op_calls(op))
        return "loops";
    if (bit == SER_FLOW_KEEPS && ser_op_calls(op))
        return "keeps";
    if (bit == SER_FLOW_SPINS && ser_op_calls(op))
        return "spins";
    if (bit == SER_FLOW_DISPATCHED && ser_op_returns(op))
        return "dispatched";
    for (size_t i = FLOW_COUNT - 6; ser_op_is_access(op) && i < FLOW_COUNT; i++)
        if (FLOWS[i].bit == bit)
            return FLOWS[i].name;
    for (size_t i = 0; i < FLOW_COUNT; i++)
        if (FLOWS[i].bit == bit)
            return FLOWS[i].name;
    return "";
}

uint16_t ser_flow_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < FLOW_COUNT; i++)
        if (strlen(FLOWS[i].name) == length && memcmp(FLOWS[i].name, name, length) == 0)
            return FLOWS[i].bit;
    return 0;
}

const char *ser_space_noun(ser_space space)
{
    static const char *const nouns[SER_SPACE_COUNT] = {
        [SER_SPACE_THREAD] = "thread",     [SER_SPACE_VARIABLE] = "variable",
        [SER_SPACE_LOCK] = "lock",         [SER_SPACE_CONDITION] = "condition",
        [SER_SPACE_BARRIER] = "barrier",   [SER_SPACE_SEMAPHORE] = "semaphore",
        [SER_SPACE_FUNCTION] = "function", [SER_SPACE_LABEL] = "block",
    };
    return nouns[space];
}
