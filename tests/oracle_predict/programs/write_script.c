/* SPDX-License-Identifier: MIT */
/*
 * Statements are drawn and written down one after another (write_statement). What a compiler would
 * know is filled in last (settle_script.c).
 */
#include "random.h"
#include "script.h"
#include "trace/event.h"

enum { MOST_DEPTH = 2 };

typedef struct writer {
    script *s;
    random_source random;
    random_source loop_random; /* for loops, so that scripts without them stay as they are */
    bool has_loops;
    size_t thread;
    uint8_t block; /* 1 + number; 0: outside */
    bool holds[SCRIPT_LOCKS];
    bool decides[SCRIPT_REGISTERS]; /* a branch or an index uses it */
    uint32_t accesses;              /* left to be written in this thread */
} writer;

static uint8_t draw(writer *w, uint32_t below)
{
    return (uint8_t)random_below(&w->random, below);
}

static uint8_t any_variable(writer *w)
{
    return draw(w, SCRIPT_VARIABLES);
}

static instruction *put(writer *w, instruction_kind kind, uint8_t object)
{
    instruction *fresh = &w->s->code[w->thread][w->s->length[w->thread]++];
    *fresh = (instruction){.kind = (uint8_t)kind,
                           .object = object,
                           .to = NO_REGISTER,
                           .from = NO_REGISTER,
                           .index = NO_REGISTER,
                           .block = w->block};
    bool accesses = kind <= SCRIPT_COMPARE_EXCHANGE;
    w->accesses -= accesses && w->accesses > 0;
    return fresh;
}

static void put_load(writer *w, uint8_t cell, uint8_t to)
{
    instruction *load = put(w, SCRIPT_LOAD, cell);
    load->to = to;
    load->flow = SER_FLOW_DATA;
}

static void put_store(writer *w, uint8_t cell, uint8_t from)
{
    instruction *store = put(w, SCRIPT_STORE, cell);
    store->from = from;
    store->constant = draw(w, SCRIPT_VALUES);
}

static void put_add(writer *w, uint8_t to)
{
    instruction *add = put(w, SCRIPT_ADD, any_variable(w));
    add->to = to;
    add->constant = 1 + draw(w, SCRIPT_VALUES - 1);
    add->flow = SER_FLOW_DATA | SER_FLOW_MODIFIES;
}

/* The newest instruction uses an element of the array, by a register. */
static void index_newest(writer *w, uint8_t by)
{
    w->s->code[w->thread][w->s->length[w->thread] - 1].index = by;
    w->decides[by] = true;
}

static void write_statements(writer *w, uint32_t count, uint32_t depth);

/* What a branch asks for is in a register. */
static void write_branch(writer *w, uint8_t by, uint32_t depth)
{
    instruction *branch = put(w, SCRIPT_UNLESS, 0);
    branch->from = by;
    branch->constant = draw(w, 2);
    w->decides[by] = true;
    write_statements(w, 1 + draw(w, 2), depth + 1);
    if (random_chance(&w->random, 40)) {
        instruction *jump = put(w, SCRIPT_JUMP, 0);
        branch->target = (uint8_t)w->s->length[w->thread];
        write_statements(w, 1, depth + 1);
        jump->target = (uint8_t)w->s->length[w->thread];
    } else {
        branch->target = (uint8_t)w->s->length[w->thread];
    }
}

static void write_condition(writer *w, uint32_t depth)
{
    uint8_t by = SCRIPT_LOCALS;
    uint32_t kind = draw(w, 6);
    if (kind == 0) {
        put_add(w, by);
    } else if (kind <= 2) {
        instruction *compare = put(w, SCRIPT_COMPARE_EXCHANGE, any_variable(w));
        compare->to = by;
        compare->expected = draw(w, 2);
        compare->constant = draw(w, SCRIPT_VALUES);
        compare->flow = SER_FLOW_ATOMIC;
    } else if (kind == 3) {
        by = draw(w, SCRIPT_LOCALS);
    } else {
        put_load(w, any_variable(w), by);
    }
    write_branch(w, by, depth);
}

/* Locks are taken in order. */
static bool may_take(const writer *w, uint8_t lock)
{
    for (uint8_t held = lock; held < SCRIPT_LOCKS; held++)
        if (w->holds[held])
            return false;
    return true;
}

static void write_section(writer *w, uint32_t depth)
{
    uint8_t lock = draw(w, SCRIPT_LOCKS - 1);
    if (!may_take(w, lock))
        return;
    w->holds[lock] = true;
    put(w, SCRIPT_LOCK, lock);
    write_statements(w, 1 + draw(w, 2), depth + 1);
    put(w, SCRIPT_UNLOCK, lock);
    w->holds[lock] = false;
}

static void write_array(writer *w)
{
    put_load(w, any_variable(w), SCRIPT_LOCALS);
    if (random_chance(&w->random, 50)) {
        put_store(w, SCRIPT_ARRAY, NO_REGISTER);
        index_newest(w, SCRIPT_LOCALS);
    } else {
        put_load(w, SCRIPT_ARRAY, SCRIPT_LOCALS + 1);
        index_newest(w, SCRIPT_LOCALS);
        put_store(w, any_variable(w), SCRIPT_LOCALS + 1);
    }
}

static void write_computation(writer *w)
{
    uint8_t local = draw(w, SCRIPT_LOCALS);
    switch (draw(w, 6)) {
    case 0:
        put_store(w, any_variable(w), NO_REGISTER);
        break;
    case 1:
        put_load(w, any_variable(w), local);
        break;
    case 2:
        put_store(w, any_variable(w), local);
        break;
    case 3:
        put_add(w, local);
        break;
    default:
        put_load(w, any_variable(w), SCRIPT_LOCALS);
        put_store(w, any_variable(w), SCRIPT_LOCALS);
        break;
    }
}

static bool loop_chance(writer *w, uint32_t percent)
{
    return random_chance(&w->loop_random, percent);
}

/* Leaves it by what was loaded, or by what all rounds have made. */
static instruction *write_early_exit(writer *w)
{
    instruction *branch = put(w, SCRIPT_UNLESS, 0);
    branch->from = loop_chance(w, 50) ? SCRIPT_ROUND : SCRIPT_TOTAL;
    branch->constant = (uint8_t)random_below(&w->loop_random, SCRIPT_VALUES);
    w->decides[branch->from] = true;
    return branch;
}

static void write_round(writer *w)
{
    bool locks = loop_chance(w, 30) && may_take(w, 0), indexes = loop_chance(w, 50);
    if (locks)
        put(w, SCRIPT_LOCK, 0);
    put_load(w, indexes ? SCRIPT_ARRAY : any_variable(w), SCRIPT_ROUND);
    if (indexes)
        index_newest(w, SCRIPT_COUNTER);
    if (locks)
        put(w, SCRIPT_UNLOCK, 0);
    instruction *step = put(w, SCRIPT_SUM + random_below(&w->loop_random, 5), 0);
    step->to = SCRIPT_TOTAL;
    step->from = SCRIPT_ROUND;
    step->expected = (uint8_t)random_below(&w->loop_random, 2);
}

static void put_set(writer *w, uint8_t to, uint8_t constant)
{
    instruction *set = put(w, SCRIPT_SET, 0);
    set->to = to;
    set->constant = constant;
}

static void put_again(writer *w, uint8_t counter, uint32_t rounds, uint8_t target)
{
    instruction *again = put(w, SCRIPT_AGAIN, 0);
    again->to = counter;
    again->constant = (uint8_t)rounds;
    again->target = target;
}

/* What all rounds have made is stored, or decides. */
static void write_loop(writer *w, uint32_t depth)
{
    instruction *skip = NULL, *exit = NULL;
    bool repeats = loop_chance(w, 25);
    put_set(w, SCRIPT_REPEATS, 0);
    uint8_t again = (uint8_t)w->s->length[w->thread];
    put_set(w, SCRIPT_TOTAL, (uint8_t)random_below(&w->loop_random, SCRIPT_VALUES));
    put_set(w, SCRIPT_COUNTER, 0);
    if (loop_chance(w, 15)) {
        skip = put(w, SCRIPT_UNLESS, 0);
        skip->from = 0;
        w->decides[0] = true;
    }
    uint8_t head = (uint8_t)w->s->length[w->thread];
    write_round(w);
    if (loop_chance(w, 30))
        exit = write_early_exit(w);
    if (loop_chance(w, 20))
        put_store(w, any_variable(w), SCRIPT_TOTAL);
    put_again(w, SCRIPT_COUNTER, 1 + random_below(&w->loop_random, repeats ? 2 : 3), head);
    if (skip)
        skip->target = (uint8_t)w->s->length[w->thread];
    if (exit)
        exit->target = (uint8_t)w->s->length[w->thread];
    if (loop_chance(w, 50))
        put_store(w, any_variable(w), SCRIPT_TOTAL);
    else
        write_branch(w, SCRIPT_TOTAL, depth);
    if (repeats)
        put_again(w, SCRIPT_REPEATS, 2, again);
}

static void write_statement(writer *w, uint32_t depth)
{
    enum { ROOM_OF_LOOP = 32 };
    if (w->has_loops && depth == 0 && loop_chance(w, 50) &&
        w->s->length[w->thread] + ROOM_OF_LOOP < SCRIPT_LENGTH) {
        write_loop(w, depth + 1);
        return;
    }
    uint32_t kind = draw(w, 10);
    if (kind <= 1 && depth < MOST_DEPTH)
        write_condition(w, depth);
    else if (kind <= 4 && depth < MOST_DEPTH)
        write_section(w, depth);
    else if (kind == 5)
        write_array(w);
    else
        write_computation(w);
}

static void write_statements(writer *w, uint32_t count, uint32_t depth)
{
    for (uint32_t i = 0; i < count && w->accesses > 0; i++)
        write_statement(w, depth);
}

static void write_block(writer *w)
{
    bool is_block = w->s->blocks < SCRIPT_BLOCKS && random_chance(&w->random, 75);
    if (is_block) {
        w->block = (uint8_t)++w->s->blocks;
        put(w, SCRIPT_BEGIN, 0);
    }
    write_statements(w, 1 + draw(w, 2), 0);
    if (is_block)
        put(w, SCRIPT_END, 0);
    w->block = 0;
}

/* A thread that awaits the flag looks at it again whenever it is woken. */
static void write_await(writer *w)
{
    put(w, SCRIPT_LOCK, SCRIPT_LOCKS - 1);
    uint8_t look = (uint8_t)w->s->length[w->thread];
    put_load(w, SCRIPT_FLAG, SCRIPT_LOCALS);
    instruction *branch = put(w, SCRIPT_UNLESS, 0);
    branch->from = SCRIPT_LOCALS;
    w->decides[SCRIPT_LOCALS] = true;
    put(w, SCRIPT_WAIT, 0);
    put(w, SCRIPT_JUMP, 0)->target = look;
    branch->target = (uint8_t)w->s->length[w->thread];
    put(w, SCRIPT_UNLOCK, SCRIPT_LOCKS - 1);
}

static void write_signal(writer *w)
{
    put(w, SCRIPT_LOCK, SCRIPT_LOCKS - 1);
    put(w, SCRIPT_STORE, SCRIPT_FLAG)->constant = 1;
    put(w, SCRIPT_NOTIFY, 0);
    put(w, SCRIPT_UNLOCK, SCRIPT_LOCKS - 1);
}

/* Who provides a post or the flag, and who waits for it; nobody if the kind is not drawn. */
typedef struct hand_over {
    size_t from, to;
    bool by_condition;
} hand_over;

static void write_body(writer *w, const hand_over *given)
{
    bool gives = given->from != given->to && w->thread == given->from;
    bool awaits = given->from != given->to && w->thread == given->to;
    bool is_late = random_chance(&w->random, 50);
    if (is_late)
        write_block(w);
    if (gives && given->by_condition)
        write_signal(w);
    else if (gives)
        put(w, SCRIPT_POST, 0);
    if (awaits && given->by_condition)
        write_await(w);
    else if (awaits)
        put(w, SCRIPT_TAKE, 0);
    write_block(w);
}

static void write_thread(writer *w, size_t thread, const hand_over *given)
{
    w->thread = thread;
    w->accesses = 2 + draw(w, w->s->threads > 3 ? 2 : 4);
    for (size_t i = 0; i < SCRIPT_REGISTERS; i++)
        w->decides[i] = false;
    for (size_t i = 1; thread == 0 && i < w->s->threads; i++)
        put(w, SCRIPT_FORK, (uint8_t)i);
    if (thread > 0 || random_chance(&w->random, 40))
        write_body(w, given);
    for (size_t i = 1; thread == 0 && i < w->s->threads; i++)
        put(w, SCRIPT_JOIN, (uint8_t)i);
    if (thread == 0 && random_chance(&w->random, 30))
        write_block(w);
    put(w, SCRIPT_STOP, 0);
    settle_script(w->s, thread, w->decides);
}

void write_script(script *s, uint64_t seed)
{
    writer w = {.s = s,
                .random = {seed ^ UINT64_C(0x736372697074)},
                .loop_random = {seed ^ UINT64_C(0x6c6f6f7073)}};
    w.has_loops = loop_chance(&w, 40);
    hand_over given = {0, 0, false};
    *s = (script){.threads = 2 + random_below(&w.random, SCRIPT_THREADS - 1)};
    if (s->threads > 2 && random_chance(&w.random, 45)) {
        given.from = 1 + random_below(&w.random, (uint32_t)s->threads - 2);
        given.to = given.from + 1;
        given.by_condition = random_chance(&w.random, 50);
    }
    for (size_t i = 0; i < s->threads; i++)
        write_thread(&w, i, &given);
}
