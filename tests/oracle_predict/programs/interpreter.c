/* SPDX-License-Identifier: MIT */
#include "interpreter.h"

#include <string.h>

#include "trace/event.h"

enum { BLOCK_READ = 1, BLOCK_WROTE = 2, REACHED_READ = 4, REACHED_WROTE = 8 };

const instruction *next_instruction(const script *s, const script_state *state, size_t thread)
{
    return &s->code[thread][state->at[thread]];
}

/* Up to the next instruction that makes an event; how the branches before it come out. */
static uint32_t skip_silent(const script *s, script_state *state, size_t thread)
{
    uint8_t *at = &state->at[thread], *registers = state->registers[thread];
    for (uint32_t outcomes = 1;;) {
        const instruction *now = &s->code[thread][*at];
        bool goes_on = true;
        if (script_computes(now)) {
            registers[now->to] = script_result(now, registers);
            goes_on = now->kind != SCRIPT_AGAIN || registers[now->to] == now->constant;
        } else if (now->kind == SCRIPT_UNLESS) {
            goes_on = registers[now->from] == now->constant;
            outcomes = 2 * outcomes + goes_on;
        } else if (now->kind == SCRIPT_JUMP) {
            goes_on = false;
        } else {
            return outcomes;
        }
        *at = goes_on ? (uint8_t)(*at + 1) : now->target;
    }
}

void start_script(const script *s, script_state *state)
{
    memset(state, 0, sizeof *state);
    state->started[0] = 1;
    for (size_t i = 0; i < s->threads; i++)
        (void)skip_silent(s, state, i);
}

static uint8_t cell_of(const script_state *state, size_t thread, const instruction *access)
{
    uint8_t offset = access->index == NO_REGISTER ? 0 : state->registers[thread][access->index] & 1;
    return (uint8_t)(access->object + offset);
}

static bool does_exchange(const script_state *state, size_t thread, const instruction *access)
{
    return state->cells[cell_of(state, thread, access)] == access->expected;
}

static uint8_t value_after(const script_state *state, size_t thread, const instruction *access)
{
    uint8_t old = state->cells[cell_of(state, thread, access)];
    switch ((instruction_kind)access->kind) {
    case SCRIPT_STORE:
        old = access->from == NO_REGISTER ? 0 : state->registers[thread][access->from];
        return (uint8_t)((old + access->constant) % SCRIPT_VALUES);
    case SCRIPT_ADD:
        return (uint8_t)((old + access->constant) % SCRIPT_VALUES);
    case SCRIPT_COMPARE_EXCHANGE:
        return does_exchange(state, thread, access) ? access->constant : old;
    default:
        return old;
    }
}

static ser_event access_event(const script_state *state, size_t thread, const instruction *access)
{
    ser_event event = {.thread = (uint32_t)thread,
                       .object = cell_of(state, thread, access),
                       .site = SER_NO_SITE,
                       .flags = SER_EVENT_HAS_VALUE,
                       .value = value_after(state, thread, access),
                       .flow = access->flow};
    bool updates = access->kind == SCRIPT_ADD || (access->kind == SCRIPT_COMPARE_EXCHANGE &&
                                                  does_exchange(state, thread, access));
    event.op = updates ? SER_OP_RMW : access->kind == SCRIPT_STORE ? SER_OP_WRITE : SER_OP_READ;
    return event;
}

ser_event next_event(const script *s, const script_state *state, size_t thread)
{
    static const uint8_t operations[] = {
        [SCRIPT_LOCK] = SER_OP_ACQUIRE, [SCRIPT_UNLOCK] = SER_OP_RELEASE,
        [SCRIPT_POST] = SER_OP_POST,    [SCRIPT_TAKE] = SER_OP_TAKE,
        [SCRIPT_WAIT] = SER_OP_RELEASE, [SCRIPT_NOTIFY] = SER_OP_NOTIFY,
        [SCRIPT_BEGIN] = SER_OP_BEGIN,  [SCRIPT_END] = SER_OP_END,
        [SCRIPT_FORK] = SER_OP_FORK,    [SCRIPT_JOIN] = SER_OP_JOIN,
        [SCRIPT_STOP] = SER_OP_SKIP,
    };
    const instruction *now = next_instruction(s, state, thread);
    if (now->kind <= SCRIPT_COMPARE_EXCHANGE)
        return access_event(state, thread, now);
    ser_event event = {.thread = (uint32_t)thread,
                       .object = now->object,
                       .site = SER_NO_SITE,
                       .op = operations[now->kind]};
    if (now->kind != SCRIPT_WAIT)
        return event;
    if (state->phase[thread] == HAS_RELEASED) {
        event.op = SER_OP_WAIT;
        return event;
    }
    event.object = SCRIPT_LOCKS - 1;
    event.op = state->phase[thread] == NOT_WAITING ? SER_OP_RELEASE : SER_OP_ACQUIRE;
    return event;
}

static size_t count_waiting(const script_state *state)
{
    size_t count = 0;
    for (size_t i = 0; i < SCRIPT_THREADS; i++)
        count += state->phase[i] == IS_WAITING;
    return count;
}

size_t count_ways(const script *s, const script_state *state, size_t thread)
{
    const instruction *now = next_instruction(s, state, thread);
    if (!state->started[thread])
        return 0;
    switch ((instruction_kind)now->kind) {
    case SCRIPT_STOP:
        return 0;
    case SCRIPT_LOCK:
        return !state->owner[now->object];
    case SCRIPT_TAKE:
        return state->posts > 0;
    case SCRIPT_WAIT:
        if (state->phase[thread] == IS_WAITING)
            return 0;
        return state->phase[thread] != IS_WOKEN || !state->owner[SCRIPT_LOCKS - 1];
    case SCRIPT_JOIN:
        return next_instruction(s, state, now->object)->kind == SCRIPT_STOP &&
               state->started[now->object];
    case SCRIPT_NOTIFY:
        return count_waiting(state) ? count_waiting(state) : 1;
    default:
        return 1;
    }
}

static void wake(script_state *state, size_t way)
{
    for (size_t i = 0; i < SCRIPT_THREADS; i++)
        if (state->phase[i] == IS_WAITING && way-- == 0)
            state->phase[i] = IS_WOKEN;
}

/* True when the wait is over. */
static bool go_on_waiting(script_state *state, size_t thread)
{
    uint8_t *owner = &state->owner[SCRIPT_LOCKS - 1];
    switch ((wait_phase)state->phase[thread]) {
    case NOT_WAITING:
        *owner = 0;
        state->phase[thread] = HAS_RELEASED;
        return false;
    case HAS_RELEASED:
        state->phase[thread] = IS_WAITING;
        return false;
    default:
        *owner = (uint8_t)(thread + 1);
        state->phase[thread] = NOT_WAITING;
        return true;
    }
}

static void make_access(script_state *state, size_t thread, const instruction *access)
{
    uint8_t *cell = &state->cells[cell_of(state, thread, access)];
    uint8_t old = *cell, result = value_after(state, thread, access);
    if (access->to != NO_REGISTER)
        state->registers[thread][access->to] =
            access->kind == SCRIPT_COMPARE_EXCHANGE ? does_exchange(state, thread, access) : old;
    *cell = result;
}

uint32_t make_event(const script *s, script_state *state, size_t thread, size_t way)
{
    const instruction *now = next_instruction(s, state, thread);
    switch ((instruction_kind)now->kind) {
    case SCRIPT_LOCK:
        state->owner[now->object] = (uint8_t)(thread + 1);
        break;
    case SCRIPT_UNLOCK:
        state->owner[now->object] = 0;
        break;
    case SCRIPT_POST:
        state->posts++;
        break;
    case SCRIPT_TAKE:
        state->posts--;
        break;
    case SCRIPT_NOTIFY:
        wake(state, way);
        break;
    case SCRIPT_FORK:
        state->started[now->object] = 1;
        break;
    case SCRIPT_WAIT:
        if (!go_on_waiting(state, thread))
            return 0;
        break;
    default:
        if (now->kind <= SCRIPT_COMPARE_EXCHANGE)
            make_access(state, thread, now);
        break;
    }
    state->at[thread]++;
    return skip_silent(s, state, thread);
}

bool follow_access(script_path *path, const ser_event *access, bool writes, bool in_block)
{
    uint8_t *marks = &path->marks[access->object];
    bool reads = access->op != SER_OP_WRITE;
    unsigned own = (reads ? BLOCK_READ : 0u) | (writes ? BLOCK_WROTE : 0u);
    unsigned rivals = writes ? REACHED_READ | REACHED_WROTE : REACHED_WROTE;
    if (in_block) {
        bool violates = *marks & rivals;
        *marks |= (uint8_t)own;
        return violates;
    }
    if ((*marks & (rivals | rivals >> 2)) || path->reached >> access->thread & 1) {
        *marks |= (uint8_t)(own << 2);
        path->reached |= (uint8_t)(1u << access->thread);
    }
    return false;
}
