/* SPDX-License-Identifier: MIT */
/*
 * Words of the stack and of local variables, and the groups of reads that their values come from.
 */
#include "java/classfile/flows.h"

uint16_t ser_flow_find(const ser_flows *flows, uint16_t group)
{
    while (flows->parents[group] != group)
        group = flows->parents[group] = flows->parents[flows->parents[group]];
    return group;
}

uint16_t ser_flow_unite(ser_flows *flows, uint16_t one, uint16_t other)
{
    one = ser_flow_find(flows, one);
    other = ser_flow_find(flows, other);
    if (one == 0 || one == other)
        return other;
    if (other == 0)
        return one;
    flows->parents[other] = one;
    flows->reached[one] = flows->reached[one] || flows->reached[other];
    flows->decides[one] = flows->decides[one] || flows->decides[other];
    flows->handed[one] = flows->handed[one] || flows->handed[other];
    return one;
}

uint16_t ser_flow_group(ser_flows *flows, uint16_t *place)
{
    if (*place)
        return *place;
    if (flows->group_count + 1 >= flows->group_room) {
        flows->failed = true;
        return 0;
    }
    uint16_t group = (uint16_t)++flows->group_count;
    flows->parents[group] = group;
    return *place = group;
}

void ser_flow_reaches(ser_flows *flows, ser_flow_word word)
{
    uint16_t group = ser_flow_find(flows, word.group);
    if (group)
        flows->reached[group] = true;
}

void ser_flow_decides(ser_flows *flows, ser_flow_word word)
{
    uint16_t origin = ser_flow_find(flows, word.origin);
    if (origin)
        flows->decides[origin] = true;
}

void ser_flow_is_handed(ser_flows *flows, ser_flow_word word)
{
    uint16_t origin = ser_flow_find(flows, word.origin);
    if (origin)
        flows->handed[origin] = true;
}

void ser_flow_push(ser_flows *flows, ser_flow_word word, uint32_t words)
{
    if (flows->failed || words > flows->words - flows->locals - flows->depth) {
        flows->failed = true;
        return;
    }
    for (; words > 0; words--)
        flows->state[flows->locals + flows->depth++] = word;
}

ser_flow_word ser_flow_pop(ser_flows *flows, uint32_t words)
{
    ser_flow_word all = {0};
    if (flows->failed || words > flows->depth) {
        flows->failed = true;
        return all;
    }
    for (; words > 0; words--) {
        ser_flow_word word = flows->state[flows->locals + --flows->depth];
        all = (ser_flow_word){ser_flow_unite(flows, all.group, word.group), word.value,
                              ser_flow_unite(flows, all.origin, word.origin)};
    }
    return all;
}

ser_flow_word *ser_flow_local(ser_flows *flows, uint32_t number, uint32_t words)
{
    static ser_flow_word none[2];
    if (flows->failed || number + words > flows->locals) {
        flows->failed = true;
        return none;
    }
    return &flows->state[number];
}
