/* SPDX-License-Identifier: MIT */
/*
 * code_facts.h - inside of accesses.h: what the instrumenter found out about the code of an access,
 * as the `flow` of its event has it: what is done with the value, and the guards of a read or the
 * expression of what is written.
 */
#ifndef SER_RECORD_EVENTS_CODE_FACTS_H
#define SER_RECORD_EVENTS_CODE_FACTS_H

#include "contract/abi.h"
#include "record/events/events.h"

/* Slow parts of ser_code_facts_guards: of a site that was not met yet, and with operands. */
ser_site_guards *ser_code_facts_look_up(ser_event_maker *maker, uint32_t site);
uint16_t ser_code_facts_find_filled(ser_event_maker *maker, const ser_record *record,
                                    ser_site_guards *guards);

/* The guards of a site that has some; is_whole: as of ser_code_facts. Of most reads of a loop that
 * needs operands the trace has none, so this is what recording them costs. */
static inline uint16_t ser_code_facts_guards(ser_event_maker *maker, const ser_record *record,
                                             bool is_whole)
{
    bool is_new =
        record->site >= maker->guards.count || !maker->guards.items[record->site].is_known;
    ser_site_guards *guards =
        is_new ? ser_code_facts_look_up(maker, record->site) : &maker->guards.items[record->site];
    uint16_t number = is_whole ? guards->number : 0;
    if (guards->needed && is_whole && maker->with_operands)
        number = ser_code_facts_find_filled(maker, record, guards);
    return number || !guards->is_named ? number : maker->missing_guards;
}

/* The first event of a variable: the text of a write says what it held before, if the record before
 * was HELD. */
void ser_code_facts_add_held(ser_event_maker *maker, const ser_record *record, ser_event *event);

static inline uint16_t ser_code_facts_flow(unsigned flags, ser_op op)
{
    uint16_t atomic = flags & SER_ABI_SITE_ATOMIC ? SER_FLOW_ATOMIC : 0;
    if (ser_op_only_writes(op))
        return atomic | (flags & SER_ABI_SITE_FIXED ? SER_FLOW_FIXED : 0);
    if (!ser_op_reads(op))
        return atomic;
    return (uint16_t)(atomic | (flags & SER_ABI_SITE_DATA ? SER_FLOW_DATA : 0) |
                      (flags & SER_ABI_SITE_DECIDES ? SER_FLOW_DECIDES : 0) |
                      (flags & SER_ABI_SITE_ANYWAY ? SER_FLOW_ANYWAY : 0) |
                      (flags & SER_ABI_SITE_BLIND ? SER_FLOW_BLIND : 0) |
                      (flags & SER_ABI_SITE_HANDED ? SER_FLOW_HANDED : 0) |
                      (flags & SER_ABI_SITE_MODIFIES ? SER_FLOW_MODIFIES : 0));
}

/* op: of a record, which may be none of a trace. */
static inline bool ser_code_facts_has_guards(unsigned flags, uint8_t op)
{
    if (!(flags & SER_ABI_SITE_GUARDED) || op >= SER_OP_COUNT)
        return false;
    return ser_op_only_reads((ser_op)op) || ser_op_only_writes((ser_op)op) ||
           (ser_op_updates((ser_op)op) && flags & SER_ABI_SITE_MODIFIES);
}

/* The flow of an event of the record. Guards are about the value of one whole cell (is_whole); an
 * access of part of a cell, or of several, has only a sign that they are missing. */
static inline uint16_t ser_code_facts(ser_event_maker *maker, const ser_record *record, ser_op op,
                                      bool is_whole)
{
    unsigned flags = ser_definitions_site_flags(&maker->survey->definitions, record->site);
    uint16_t guards = ser_code_facts_has_guards(flags, record->op)
                          ? ser_code_facts_guards(maker, record, is_whole)
                          : 0;
    return ser_flow_with_guards(ser_code_facts_flow(flags, op), guards);
}

#endif
