/* SPDX-License-Identifier: MIT */
/*
 * What is really possible: all interleavings of a script, depth first, each state once. A wait
 * gives up its lock and begins at one moment.
 *
 * record_script takes one of them, by chance.
 */
#include <string.h>

#include "interpreter.h"
#include "random.h"
#include "state_set.h"

enum { MOST_STATES = 150000 };

typedef struct position {
    script_state state;
    script_path path;
} position;

typedef struct search {
    const script *s;
    size_t block;
    size_t thread, end; /* of the block, and where it ends there */
    state_set seen;
} search;

static void find_end(search *at)
{
    for (size_t thread = 0; thread < at->s->threads; thread++)
        for (size_t i = 0; i < at->s->length[thread]; i++)
            if (at->s->code[thread][i].kind == SCRIPT_END &&
                at->s->code[thread][i].block == at->block + 1) {
                at->thread = thread;
                at->end = i;
            }
}

/* One event, or the two that begin a wait; true if the block is violated. */
static bool step(const search *at, position *p, size_t thread, size_t way)
{
    const instruction *now = next_instruction(at->s, &p->state, thread);
    bool violates = false, in_block = now->block == at->block + 1;
    if (now->kind <= SCRIPT_COMPARE_EXCHANGE) {
        ser_event access = next_event(at->s, &p->state, thread);
        violates = follow_access(&p->path, &access, access.op != SER_OP_READ, in_block);
    }
    (void)make_event(at->s, &p->state, thread, way);
    if (p->state.phase[thread] == HAS_RELEASED)
        (void)make_event(at->s, &p->state, thread, 0);
    return violates;
}

static script_answer explore(search *at, const position *p)
{
    if (p->state.at[at->thread] >= at->end)
        return SCRIPT_NONE;
    if (!state_set_add(&at->seen, (const uint8_t *)p, sizeof *p))
        return SCRIPT_NONE;
    if (at->seen.count > MOST_STATES)
        return SCRIPT_TOO_LARGE;
    for (size_t thread = 0; thread < at->s->threads; thread++) {
        size_t ways = count_ways(at->s, &p->state, thread);
        for (size_t way = 0; way < ways; way++) {
            position next = *p;
            if (step(at, &next, thread, way))
                return SCRIPT_VIOLATION;
            script_answer answer = explore(at, &next);
            if (answer != SCRIPT_NONE)
                return answer;
        }
    }
    return SCRIPT_NONE;
}

script_answer search_script(const script *s, size_t block)
{
    search at = {.s = s, .block = block};
    position start;
    find_end(&at);
    memset(&start, 0, sizeof start);
    start_script(s, &start.state);
    state_set_init(&at.seen);
    script_answer answer = explore(&at, &start);
    state_set_fini(&at.seen);
    return answer;
}

static void record_event(const script *s, const script_state *state, size_t thread,
                         event_list *trace, size_t *blocks)
{
    ser_event event = next_event(s, state, thread);
    size_t begins = 0;
    for (size_t i = 0; i < trace->count; i++)
        begins += trace->items[i].op == SER_OP_BEGIN;
    if (event.op == SER_OP_BEGIN)
        blocks[begins] = next_instruction(s, state, thread)->block - 1u;
    ser_vector_push(trace, event);
}

void record_script(const script *s, uint64_t seed, event_list *trace, size_t *blocks)
{
    random_source random = {seed ^ UINT64_C(0x7265636f7264)};
    uint32_t stick = random_below(&random, 4) * 30;
    script_state state;
    size_t thread = 0, waits = 0;
    start_script(s, &state);
    while (waits < 64) { /* at last nobody can go on */
        if (!random_chance(&random, stick) || !count_ways(s, &state, thread))
            thread = random_below(&random, (uint32_t)s->threads);
        size_t ways = count_ways(s, &state, thread);
        waits = ways ? 0 : waits + 1;
        if (!ways)
            continue;
        record_event(s, &state, thread, trace, blocks);
        (void)make_event(s, &state, thread, random_below(&random, (uint32_t)ways));
        if (state.phase[thread] == HAS_RELEASED) {
            record_event(s, &state, thread, trace, blocks);
            (void)make_event(s, &state, thread, 0);
        }
    }
}
