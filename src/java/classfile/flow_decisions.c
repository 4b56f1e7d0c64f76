/* SPDX-License-Identifier: MIT */
/*
 * What the value of a read decides: where a branch may go, and whether the method then changes
 * something that other threads see, or takes a lock, on one side of a branch and not on the other.
 */
#include "java/classfile/flows.h"

#include <stdlib.h>
#include <string.h>

#include "java/classfile/format/opcodes.h"

enum { GOTO = 0xa7, RET = 0xa9 };
/* Instructions that are looked at for all branches of a method. */
enum { MOST_LOOKS = 1 << 20 };

/* --- targets ---------------------------------------------------------------------- */

/* What is done with each target. */
typedef struct visit {
    ser_flows *flows;
    ser_flow_target *act;
    void *context;
} visit;

static void go(const visit *to, uint32_t at, uint32_t offset)
{
    uint32_t target = at + offset; /* offsets are signed: that wraps */
    if (target < to->flows->weave->length)
        to->act(to->context, target);
    else
        to->flows->failed = true;
}

static void each_of_switch(const visit *to, uint32_t at)
{
    const uint8_t *code = to->flows->weave->code;
    const uint8_t *operands = code + ((at + 4) & ~UINT32_C(3));
    bool is_table = code[at] == OP_TABLESWITCH;
    uint32_t low = ser_peek_4(operands + 4), high = is_table ? ser_peek_4(operands + 8) : 0;
    uint32_t count = is_table ? high - low + 1 : low, stride = is_table ? 4 : 8;
    const uint8_t *offset = operands + 12; /* a match comes before each offset of a lookupswitch */
    go(to, at, ser_peek_4(operands));
    for (uint32_t i = 0; i < count; i++, offset += stride)
        go(to, at, ser_peek_4(offset));
}

static uint32_t signed_2(const uint8_t *at)
{
    return (uint32_t)(int32_t)(int16_t)ser_peek_2(at);
}

bool ser_flow_each_target(ser_flows *flows, uint32_t at, ser_flow_target *act, void *context)
{
    const visit to = {flows, act, context};
    const uint8_t *code = flows->weave->code;
    uint32_t op = code[at];
    bool is_branch = (op >= OP_IFEQ && op <= GOTO) || op == OP_IFNULL || op == OP_IFNONNULL;
    if (op == OP_JSR || op == OP_JSR_W || op == RET || (op == OP_WIDE && code[at + 1] == RET))
        flows->failed = true;
    if (is_branch)
        go(&to, at, signed_2(code + at + 1));
    else if (op == OP_GOTO_W)
        go(&to, at, ser_peek_4(code + at + 1));
    else if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH)
        each_of_switch(&to, at);
    return op != GOTO && op != OP_GOTO_W && op != OP_TABLESWITCH && op != OP_LOOKUPSWITCH &&
           op != OP_ATHROW && !(op >= OP_IRETURN && op <= OP_RETURN);
}

/* --- decisions ------------------------------------------------------------------- */

/* Where one side of a branch leads. */
typedef struct side {
    uint8_t *seen; /* by position */
    uint16_t *waiting;
    uint32_t waiting_count;
    bool avoids; /* do not go beyond what acts */
    bool ends;   /* it gets to a return, or to the branch again */
} side;

typedef struct sides {
    ser_flows *flows;
    uint32_t branch, looks;
    uint32_t count; /* of sides */
    uint8_t *reached_by_all, *reached_by_some;
    bool may_end, must_act; /* without having acted: by some side; not by some */
    side walk;
} sides;

static void wait_for(void *context, uint32_t at)
{
    side *walk = context;
    if (walk->seen[at])
        return;
    walk->seen[at] = 1;
    walk->waiting[walk->waiting_count++] = (uint16_t)at;
}

static void follow(sides *all, uint32_t from, bool avoids)
{
    side *walk = &all->walk;
    const ser_weave *weave = all->flows->weave;
    memset(walk->seen, 0, weave->length);
    walk->waiting_count = 0;
    walk->avoids = avoids;
    walk->ends = false;
    wait_for(walk, from);
    while (walk->waiting_count > 0 && all->looks++ < MOST_LOOKS) {
        uint32_t at = walk->waiting[--walk->waiting_count];
        walk->ends = walk->ends || at == all->branch;
        if (at == all->branch || (avoids && all->flows->acts[at]))
            continue;
        uint32_t next = at + ser_code_length(weave->code, weave->length, at);
        bool goes_on = ser_flow_each_target(all->flows, at, wait_for, walk);
        if (goes_on && next < weave->length)
            wait_for(walk, next);
        walk->ends = walk->ends || (weave->code[at] >= OP_IRETURN && weave->code[at] <= OP_RETURN);
    }
}

/* A side that does nothing but throw an exception is none: `if (n > 100) throw ...` says what is
 * hoped never to be, and the method's work does not depend on it otherwise. */
static void see_side(void *context, uint32_t at)
{
    sides *all = context;
    uint32_t length = all->flows->weave->length;
    follow(all, at, false);
    if (!all->walk.ends)
        return;
    for (uint32_t i = 0; i < length; i++) {
        all->reached_by_some[i] |= all->walk.seen[i];
        all->reached_by_all[i] = (all->count == 0 || all->reached_by_all[i]) && all->walk.seen[i];
    }
    all->count++;
    follow(all, at, true);
    all->may_end = all->may_end || all->walk.ends;
    all->must_act = all->must_act || !all->walk.ends;
}

/* Does it depend on the side whether the method acts? */
static bool branch_decides(sides *all, uint32_t at)
{
    const ser_weave *weave = all->flows->weave;
    all->branch = at;
    all->count = 0;
    all->may_end = all->must_act = false;
    memset(all->reached_by_some, 0, weave->length);
    uint32_t next = at + ser_code_length(weave->code, weave->length, at);
    if (ser_flow_each_target(all->flows, at, see_side, all) && next < weave->length)
        see_side(all, next);
    for (uint32_t i = 0; i < weave->length; i++)
        if (all->flows->acts[i] && all->reached_by_some[i] && !all->reached_by_all[i])
            return true;
    return all->may_end && all->must_act;
}

void ser_flow_find_decisions(ser_flows *flows)
{
    uint32_t length = flows->weave->length;
    sides all = {
        .flows = flows,
        .reached_by_all = calloc(length + 1, 1),
        .reached_by_some = calloc(length + 1, 1),
        .walk = {.seen = calloc(length + 1, 1), .waiting = calloc(length + 1, sizeof(uint16_t))}};
    bool has_memory =
        all.reached_by_all && all.reached_by_some && all.walk.seen && all.walk.waiting;
    bool acts = memchr(flows->acts, true, length);
    for (uint32_t at = 0; at < length && has_memory && acts && all.looks < MOST_LOOKS; at++) {
        uint16_t origin = ser_flow_find(flows, flows->asked_at[at]);
        if (origin && !flows->decides[origin] && branch_decides(&all, at))
            flows->decides[origin] = true;
    }
    free(all.reached_by_all);
    free(all.reached_by_some);
    free(all.walk.seen);
    free(all.walk.waiting);
}
