/* SPDX-License-Identifier: MIT */
#include "java/classfile/flows.h"

#include <stdlib.h>
#include <string.h>

#include "java/classfile/format/opcodes.h"

/* Longer methods are seldom worth it, and values of parameters have numbers above. */
enum {
    LONGEST = SER_FLOW_OF_PARAMETERS - 1,
    MOST_WORDS = 512,
    MOST_HANDLERS = 256,
    MOST_STATES = 1 << 20
};
enum { EXCEPTION = 8 };

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

static void mark_target(void *context, uint32_t target)
{
    flow_walk *walk = context;
    walk->places[target].is_target = true;
}

static void find_targets(flow_walk *walk)
{
    const ser_weave *weave = walk->flows.weave;
    for (uint32_t at = 0; at < weave->length;
         at += ser_code_length(weave->code, weave->length, at)) {
        walk->places[at].is_start = true;
        ser_flow_each_target(&walk->flows, at, mark_target, walk);
    }
    for (const uint8_t *entry = walk->flows.exceptions.at; entry < walk->flows.exceptions.end;
         entry += EXCEPTION) {
        uint32_t handler = ser_peek_2(entry + 4);
        if (handler < weave->length)
            mark_target(walk, handler);
        else
            fail(walk);
    }
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
    into->origin = from.origin == 0 || old.origin == 0
                       ? old.origin | from.origin
                       : ser_flow_unite(flows, old.origin, from.origin);
    return (old.group == 0 && into->group != 0) || (old.origin == 0 && into->origin != 0) ||
           into->value != old.value;
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

static void reach_target(void *context, uint32_t at)
{
    flow_walk *walk = context;
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
            goes_on = ser_flow_each_target(flows, at, reach_target, walk);
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
        flows->state[i] = (ser_flow_word){.value = (uint16_t)(SER_FLOW_OF_PARAMETERS + i)};
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
    uint16_t origin = ser_flow_find(flows, flows->origin_at[at]);
    bool decides = origin && !is_data && flows->decides[origin];
    bool handed = origin && flows->handed[origin];
    return (uint8_t)((is_data ? SER_CLASS_DATA : 0) | (flows->begins[at] ? SER_CLASS_BEGINS : 0) |
                     (decides ? SER_CLASS_DECIDES : 0) | (handed ? SER_CLASS_HANDED : 0));
}

static ser_class_method called_at(const ser_flows *flows, uint32_t at)
{
    ser_member called =
        ser_pool_member(&flows->weave->job->pool, ser_peek_2(flows->weave->code + at + 1));
    return (ser_class_method){called.name, called.descriptor};
}

static void tell_passed(const ser_flows *flows, uint32_t at, uint16_t result)
{
    const ser_class_client *client = flows->weave->job->client;
    ser_class_method getter = called_at(flows, at);
    for (uint32_t i = 0; i < flows->weave->length; i++) {
        if (i == at || ser_flow_find(flows, flows->passed_at[i]) != result)
            continue;
        ser_class_method setter = called_at(flows, i);
        client->learn(client->context, SER_CLASS_PASSED, &getter, &setter);
    }
}

/* What the program's methods return to one that is no block as a whole. */
static void tell_results(const ser_flows *flows)
{
    enum { MOST_RESULTS = 64 };
    const ser_weave *weave = flows->weave;
    const ser_class_client *client = weave->job->client;
    uint32_t length = ser_class_is_work(weave->method) ? weave->length : 0, results = 0;
    for (uint32_t at = 0; at < length && results < MOST_RESULTS; at++) {
        uint16_t result = ser_flow_find(flows, flows->result_at[at]);
        if (!result)
            continue;
        results++;
        ser_class_method getter = called_at(flows, at);
        if (flows->decides[result])
            client->learn(client->context, SER_CLASS_ASKED, &getter, NULL);
        else
            tell_passed(flows, at, result);
    }
}

static void tell(const ser_flows *flows)
{
    const ser_weave *weave = flows->weave;
    const ser_class_client *client = weave->job->client;
    const ser_class_method own = {weave->method, weave->descriptor};
    if (!client->learn)
        return;
    if (flows->stores)
        client->learn(client->context, SER_CLASS_STORES, &own, NULL);
    tell_results(flows);
}

/* A method that answers yes or no. */
static void hand_answers(ser_flows *flows)
{
    ser_class_text type = flows->weave->descriptor;
    if (type.length == 0 || type.bytes[type.length - 1] != 'Z' ||
        type.bytes[type.length - 2] != ')')
        return;
    for (uint32_t at = 0; at < flows->weave->length; at++)
        flows->handed[ser_flow_find(flows, flows->asked_at[at])] = true;
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
                                  .group_room = 2 * length + 1}};
    if (length > LONGEST || flows->words > MOST_WORDS || count > MOST_HANDLERS)
        return false;
    flows->state = calloc(flows->words + 1, sizeof *flows->state);
    flows->parents = calloc(flows->group_room, sizeof *flows->parents);
    flows->reached = calloc(flows->group_room, sizeof *flows->reached);
    flows->decides = calloc(flows->group_room, sizeof *flows->decides);
    flows->handed = calloc(flows->group_room, sizeof *flows->handed);
    flows->group_at = calloc(length + 1, sizeof *flows->group_at);
    flows->origin_at = calloc(length + 1, sizeof *flows->origin_at);
    flows->asked_at = calloc(length + 1, sizeof *flows->asked_at);
    flows->result_at = calloc(length + 1, sizeof *flows->result_at);
    flows->passed_at = calloc(length + 1, sizeof *flows->passed_at);
    flows->acts = calloc(length + 1, sizeof *flows->acts);
    flows->writes = calloc(length + 1, sizeof *flows->writes);
    flows->begins = calloc(length + 1, sizeof *flows->begins);
    walk->places = calloc(length + 1, sizeof *walk->places);
    walk->waiting = calloc(length + 1, sizeof *walk->waiting);
    return flows->state && flows->parents && flows->reached && flows->decides && flows->handed &&
           flows->group_at && flows->origin_at && flows->asked_at && flows->result_at &&
           flows->passed_at && flows->acts && flows->writes && flows->begins && walk->places &&
           walk->waiting;
}

static void release(flow_walk *walk)
{
    ser_flows *flows = &walk->flows;
    for (uint32_t at = 0; walk->places && at <= flows->weave->length; at++)
        free(walk->places[at].state);
    free(flows->state);
    free(flows->parents);
    free(flows->reached);
    free(flows->decides);
    free(flows->handed);
    free(flows->group_at);
    free(flows->origin_at);
    free(flows->asked_at);
    free(flows->result_at);
    free(flows->passed_at);
    free(flows->acts);
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
    if (!walk.flows.failed) {
        ser_flow_find_decisions(&walk.flows);
        hand_answers(&walk.flows);
        tell(&walk.flows);
    }
    if (!walk.flows.failed)
        found = calloc(weave->length, sizeof *found);
    for (uint32_t at = 0; found && at < weave->length; at++)
        found[at] = flow_at(&walk.flows, at);
    release(&walk);
    return found;
}
