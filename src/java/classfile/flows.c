/* SPDX-License-Identifier: MIT */
#include "java/classfile/flows.h"

#include <stdlib.h>
#include <string.h>

#include "java/classfile/format/opcodes.h"

/* Longer methods are seldom worth it, and values of parameters have numbers above. */
enum { LONGEST = 16384, MOST_WORDS = 512, MOST_HANDLERS = 256, MOST_STATES = 1 << 20 };
enum { OF_PARAMETERS = LONGEST + 1, EXCEPTION = 8, GOTO = 0xa7, RET = 0xa9 };

/* At a target of a branch or handler. */
typedef struct landing {
    ser_flow_word *state; /* null: not reached yet */
    uint32_t depth;
    bool is_start; /* an instruction begins there */
    bool is_target, is_waiting;
} landing;

typedef struct flow_walk {
    ser_flows flows;
    landing *places; /* by position */
    uint16_t *waiting;
    uint32_t waiting_count, state_count;
} flow_walk;

static void fail(flow_walk *walk)
{
    walk->flows.failed = true;
}

/* --- targets ---------------------------------------------------------------------- */

typedef void target_action(flow_walk *walk, uint32_t target);

static void go(flow_walk *walk, uint32_t at, uint32_t offset, target_action *act)
{
    uint32_t target = at + offset; /* offsets are signed: that wraps */
    if (target < walk->flows.weave->length)
        act(walk, target);
    else
        fail(walk);
}

static void each_of_switch(flow_walk *walk, uint32_t at, target_action *act)
{
    const uint8_t *code = walk->flows.weave->code;
    const uint8_t *operands = code + ((at + 4) & ~UINT32_C(3));
    bool is_table = code[at] == OP_TABLESWITCH;
    uint32_t low = ser_peek_4(operands + 4), high = is_table ? ser_peek_4(operands + 8) : 0;
    uint32_t count = is_table ? high - low + 1 : low, stride = is_table ? 4 : 8;
    const uint8_t *offset = operands + 12; /* a match comes before each offset of a lookupswitch */
    go(walk, at, ser_peek_4(operands), act);
    for (uint32_t i = 0; i < count; i++, offset += stride)
        go(walk, at, ser_peek_4(offset), act);
}

static uint32_t signed_2(const uint8_t *at)
{
    return (uint32_t)(int32_t)(int16_t)ser_peek_2(at);
}

/* Where an instruction may go, but for the next one; false if that cannot follow. */
static bool each_target(flow_walk *walk, uint32_t at, target_action *act)
{
    const uint8_t *code = walk->flows.weave->code;
    uint32_t op = code[at];
    bool is_branch = (op >= OP_IFEQ && op <= GOTO) || op == OP_IFNULL || op == OP_IFNONNULL;
    if (op == OP_JSR || op == OP_JSR_W || op == RET || (op == OP_WIDE && code[at + 1] == RET))
        fail(walk);
    if (is_branch)
        go(walk, at, signed_2(code + at + 1), act);
    else if (op == OP_GOTO_W)
        go(walk, at, ser_peek_4(code + at + 1), act);
    else if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH)
        each_of_switch(walk, at, act);
    return op != GOTO && op != OP_GOTO_W && op != OP_TABLESWITCH && op != OP_LOOKUPSWITCH &&
           op != OP_ATHROW && !(op >= OP_IRETURN && op <= OP_RETURN);
}

static void mark_target(flow_walk *walk, uint32_t target)
{
    walk->places[target].is_target = true;
}

static void find_targets(flow_walk *walk)
{
    const ser_weave *weave = walk->flows.weave;
    for (uint32_t at = 0; at < weave->length;
         at += ser_code_length(weave->code, weave->length, at)) {
        walk->places[at].is_start = true;
        each_target(walk, at, mark_target);
    }
    for (const uint8_t *entry = walk->flows.exceptions.at; entry < walk->flows.exceptions.end;
         entry += EXCEPTION)
        go(walk, 0, ser_peek_2(entry + 4), mark_target);
}

/* --- states ----------------------------------------------------------------------- */

static void let_wait(flow_walk *walk, uint32_t at)
{
    if (walk->places[at].is_waiting)
        return;
    walk->places[at].is_waiting = true;
    walk->waiting[walk->waiting_count++] = (uint16_t)at;
}

static bool merge_word(ser_flows *flows, ser_flow_word *into, ser_flow_word from)
{
    ser_flow_word old = *into;
    into->group = from.group == 0 || old.group == 0 ? old.group | from.group
                                                    : ser_flow_unite(flows, old.group, from.group);
    into->value = old.value == from.value ? old.value : 0;
    return (old.group == 0 && into->group != 0) || into->value != old.value;
}

/* `depth` words of the stack, which are given; local variables are those of the state. */
static void reach(flow_walk *walk, uint32_t at, const ser_flow_word *stack, uint32_t depth)
{
    ser_flows *flows = &walk->flows;
    landing *place = &walk->places[at];
    bool is_new = !place->state, changed = is_new;
    if (flows->failed || (!is_new && place->depth != depth) || !place->is_start ||
        depth > flows->words - flows->locals ||
        (is_new && (walk->state_count += flows->words) > MOST_STATES)) {
        fail(walk);
        return;
    }
    if (is_new && !(place->state = calloc(flows->words, sizeof *place->state))) {
        fail(walk);
        return;
    }
    place->depth = depth;
    if (is_new)
        memcpy(place->state, flows->state, flows->locals * sizeof *place->state);
    if (is_new && depth > 0)
        memcpy(place->state + flows->locals, stack, depth * sizeof *stack);
    for (uint32_t i = 0; i < flows->locals && !is_new; i++)
        changed = merge_word(flows, &place->state[i], flows->state[i]) || changed;
    for (uint32_t i = 0; i < depth && !is_new; i++)
        changed = merge_word(flows, &place->state[flows->locals + i], stack[i]) || changed;
    if (changed)
        let_wait(walk, at);
}

static void reach_target(flow_walk *walk, uint32_t at)
{
    reach(walk, at, walk->flows.state + walk->flows.locals, walk->flows.depth);
} // NOLINT(clang-analyzer-unix.Malloc): the state is the walk's, until release

static void reach_handlers(flow_walk *walk, uint32_t at)
{
    static const ser_flow_word exception;
    const ser_view *exceptions = &walk->flows.exceptions;
    for (const uint8_t *entry = exceptions->at; entry < exceptions->end; entry += EXCEPTION)
        if (at >= ser_peek_2(entry) && at < ser_peek_2(entry + 2))
            reach(walk, ser_peek_2(entry + 4), &exception, 1);
}

/* Straight on, until another place begins. */
static void walk_from(flow_walk *walk, uint32_t at)
{
    ser_flows *flows = &walk->flows;
    const ser_weave *weave = flows->weave;
    bool goes_on = true;
    flows->depth = walk->places[at].depth;
    flows->recent_count = 0;
    memcpy(flows->state, walk->places[at].state, flows->words * sizeof *flows->state);
    while (goes_on && !flows->failed) {
        reach_handlers(walk, at);
        ser_flow_execute(flows, at);
        if (!flows->failed)
            goes_on = each_target(walk, at, reach_target);
        at += ser_code_length(weave->code, weave->length, at);
        if (goes_on && at >= weave->length)
            fail(walk);
        if (goes_on && !flows->failed && walk->places[at].is_target) {
            reach_target(walk, at);
            return;
        }
    }
}

static void walk_all(flow_walk *walk)
{
    ser_flows *flows = &walk->flows;
    for (uint32_t i = 0; i < flows->locals; i++)
        flows->state[i] = (ser_flow_word){0, (uint16_t)(OF_PARAMETERS + i)};
    find_targets(walk);
    mark_target(walk, 0);
    reach_target(walk, 0);
    while (walk->waiting_count > 0 && !flows->failed) {
        uint32_t at = walk->waiting[--walk->waiting_count];
        walk->places[at].is_waiting = false;
        walk_from(walk, at);
    }
}

/* --- what follows ------------------------------------------------------------------ */

static uint8_t flow_at(const ser_flows *flows, uint32_t at)
{
    uint16_t group = ser_flow_find(flows, flows->group_at[at]);
    bool is_data = group && !flows->reached[group];
    if (flows->writes[at])
        return is_data ? 0 : SER_CLASS_FIXED;
    return (uint8_t)((is_data ? SER_CLASS_DATA : 0) | (flows->begins[at] ? SER_CLASS_BEGINS : 0));
}

static bool prepare(flow_walk *walk, ser_weave *weave)
{
    ser_view exceptions = weave->exceptions;
    ser_flows *flows = &walk->flows;
    uint32_t length = weave->length, count = ser_view_2(&exceptions);
    *walk = (flow_walk){.flows = {.weave = weave,
                                  .exceptions = exceptions,
                                  .locals = weave->max_locals,
                                  .words = weave->max_locals + weave->max_stack,
                                  .group_room = length + 1}};
    if (length > LONGEST || flows->words > MOST_WORDS || count > MOST_HANDLERS)
        return false;
    flows->state = calloc(flows->words + 1, sizeof *flows->state);
    flows->parents = calloc(length + 1, sizeof *flows->parents);
    flows->reached = calloc(length + 1, sizeof *flows->reached);
    flows->group_at = calloc(length + 1, sizeof *flows->group_at);
    flows->writes = calloc(length + 1, sizeof *flows->writes);
    flows->begins = calloc(length + 1, sizeof *flows->begins);
    walk->places = calloc(length + 1, sizeof *walk->places);
    walk->waiting = calloc(length + 1, sizeof *walk->waiting);
    return flows->state && flows->parents && flows->reached && flows->group_at && flows->writes &&
           flows->begins && walk->places && walk->waiting;
}

static void release(flow_walk *walk)
{
    ser_flows *flows = &walk->flows;
    for (uint32_t at = 0; walk->places && at <= flows->weave->length; at++)
        free(walk->places[at].state);
    free(flows->state);
    free(flows->parents);
    free(flows->reached);
    free(flows->group_at);
    free(flows->writes);
    free(flows->begins);
    free(walk->places);
    free(walk->waiting);
}

uint8_t *ser_flows_find(ser_weave *weave)
{
    flow_walk walk;
    uint8_t *found = NULL;
    if (prepare(&walk, weave))
        walk_all(&walk);
    else
        fail(&walk);
    if (!walk.flows.failed)
        found = calloc(weave->length, sizeof *found);
    for (uint32_t at = 0; found && at < weave->length; at++)
        found[at] = flow_at(&walk.flows, at);
    release(&walk);
    return found;
}
