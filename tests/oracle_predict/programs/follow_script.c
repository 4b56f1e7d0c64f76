/* SPDX-License-Identifier: MIT */
/*
 * Each thread is executed along its events, with an expression for each register. A key is the
 * number of its instruction. A guard belongs to the last read that it names.
 *
 * What a loop makes of its rounds is in a register of the trace, which has the number of the
 * loop's load. A guard behind the loop belongs to each round, and counts in the last
 * (contract/guards.def).
 */
#include "follow_script.h"

#include <string.h>

#include "base/status.h"

enum { TEXT_SIZE = 400, OPERATION_SIZE = 32, MOST_ROUNDS = 3 };

typedef struct followed_register {
    uint8_t value;
    char text[TEXT_SIZE]; /* "": it depends on no read that is followed */
    size_t last;          /* 1 + the index of the last read that it depends on */
} followed_register;

typedef struct followed_thread {
    size_t at, phase; /* next instruction; events of a wait so far */
    followed_register registers[SCRIPT_REGISTERS];
    size_t rounds[MOST_ROUNDS], round_count; /* events of the newest loop */
    size_t initial;                          /* its total before the first */
} followed_thread;

typedef struct following {
    const script *s;
    ser_event *events;
    char (*texts)[TEXT_SIZE]; /* by index of the event */
    followed_thread threads[SCRIPT_THREADS];
} following;

/* Puts the register's expression, with what is done to it, behind what the event has. */
static void add_text(following *all, size_t event, const followed_register *from,
                     const char *operation)
{
    char *text = all->texts[event];
    size_t length = strlen(text), room = TEXT_SIZE - length;
    int added = snprintf(text + length, room, "%s%s%s", length ? ";" : "", from->text, operation);
    ser_check(added >= 0 && (size_t)added < room);
}

/* Of the instruction of a thread, in all its executions. */
static size_t key_of(size_t thread, size_t at)
{
    return 1 + thread * SCRIPT_LENGTH + at;
}

static void guard(following *all, const followed_register *from, const char *operation)
{
    if (*from->text && from->last)
        add_text(all, from->last - 1, from, operation);
}

/* The number of the loop's register: of the load that comes next, or came last. */
static size_t register_of(const following *all, size_t thread, size_t at)
{
    const instruction *code = all->s->code[thread];
    while (code[at].kind != SCRIPT_LOAD || code[at].to != SCRIPT_ROUND)
        at++;
    return key_of(thread, at);
}

static void begin_loop(following *all, size_t thread, const instruction *set)
{
    followed_thread *own = &all->threads[thread];
    followed_register *total = &own->registers[SCRIPT_TOTAL];
    own->round_count = 0;
    own->initial = set->constant;
    total->last = 0;
    snprintf(total->text, sizeof total->text, "$%zu:0:%zu", register_of(all, thread, own->at),
             own->initial);
}

/* The text of the round's load says what becomes of the total. */
static void add_round(following *all, size_t thread, const instruction *step)
{
    followed_thread *own = &all->threads[thread];
    followed_register *total = &own->registers[SCRIPT_TOTAL], *load = &own->registers[step->from];
    char old[OPERATION_SIZE], text[TEXT_SIZE];
    size_t number = strtoull(load->text + 1, NULL, 10);
    snprintf(old, sizeof old, "$%zu:%d:%zu", number, own->round_count > 0, own->initial);
    if (step->kind == SCRIPT_SUM)
        snprintf(text, sizeof text, "$%zu=%s,%s,wadd8,3,and8", number, old, load->text);
    else if (step->kind == SCRIPT_MIX)
        snprintf(text, sizeof text, "$%zu=%s,3,wmul8,%s,xor8,3,and8", number, old, load->text);
    else if (step->kind == SCRIPT_MOST)
        snprintf(text, sizeof text, "$%zu=%s,%s,ugt8,%s,%s,sel8", number, load->text, old,
                 load->text, old);
    else if (step->kind == SCRIPT_LAST)
        snprintf(text, sizeof text, "$%zu=%s", number, load->text);
    else
        snprintf(text, sizeof text, "$%zu=%s,%u,eq8,%s,1,wadd8,3,and8,%s,sel8", number, load->text,
                 step->expected, old, old);
    add_text(all, load->last - 1, &(followed_register){0}, text);
    own->rounds[own->round_count++] = load->last - 1;
    total->last = load->last;
    snprintf(total->text, sizeof total->text, "$%zu", number);
}

static void compute(following *all, size_t thread, const instruction *now)
{
    followed_register *registers = all->threads[thread].registers;
    uint8_t values[SCRIPT_REGISTERS];
    for (size_t i = 0; i < SCRIPT_REGISTERS; i++)
        values[i] = registers[i].value;
    registers[now->to].value = script_result(now, values);
    if (now->kind == SCRIPT_SET && now->to == SCRIPT_TOTAL)
        begin_loop(all, thread, now);
    if (now->kind >= SCRIPT_SUM && now->kind <= SCRIPT_LAST)
        add_round(all, thread, now);
}

/* Is it behind the loop whose total it looks at? */
static bool is_behind_loop(const following *all, size_t thread, size_t at)
{
    const instruction *code = all->s->code[thread];
    while (code[at].kind != SCRIPT_AGAIN && code[at].kind != SCRIPT_STOP &&
           code[at].kind != SCRIPT_SET)
        at++;
    return code[at].kind != SCRIPT_AGAIN || code[at].to != SCRIPT_COUNTER;
}

static void guard_branch(following *all, size_t thread, const instruction *branch)
{
    followed_thread *own = &all->threads[thread];
    char operation[OPERATION_SIZE];
    snprintf(operation, sizeof operation, ",%u,eq8", branch->constant);
    if (branch->from != SCRIPT_TOTAL || !is_behind_loop(all, thread, own->at)) {
        guard(all, &own->registers[branch->from], operation);
        return;
    }
    followed_register late = {0};
    snprintf(late.text, sizeof late.text, "!%s", own->registers[SCRIPT_TOTAL].text);
    for (size_t i = 0; i < own->round_count; i++)
        add_text(all, own->rounds[i], &late, operation);
}

/* Jumps and branches up to what makes an event. */
static const instruction *next_of(following *all, size_t thread)
{
    followed_thread *own = &all->threads[thread];
    for (;;) {
        const instruction *now = &all->s->code[thread][own->at];
        if (now->kind == SCRIPT_JUMP) {
            own->at = now->target;
        } else if (script_computes(now)) {
            compute(all, thread, now);
            bool goes_on =
                now->kind != SCRIPT_AGAIN || own->registers[now->to].value == now->constant;
            own->at = goes_on ? own->at + 1 : now->target;
        } else if (now->kind == SCRIPT_UNLESS) {
            guard_branch(all, thread, now);
            own->at = own->registers[now->from].value == now->constant ? own->at + 1 : now->target;
        } else {
            return now;
        }
    }
}

static void follow_load(following *all, followed_register *to, size_t event, size_t key)
{
    snprintf(all->texts[event], TEXT_SIZE, "@%zu", key);
    to->value = (uint8_t)all->events[event].value;
    to->last = event + 1;
    snprintf(to->text, sizeof to->text, "@%zu", key);
}

static void follow_store(following *all, const followed_register *from, const instruction *now,
                         size_t event)
{
    char operation[OPERATION_SIZE];
    snprintf(operation, sizeof operation, ",%u,add8,%u,and8", now->constant, SCRIPT_VALUES - 1);
    if (*from->text)
        add_text(all, event, from, operation);
}

/* What it has read is followed, and what it wrote. */
static void follow_update(following *all, followed_thread *own, const instruction *now,
                          size_t event)
{
    uint8_t written = (uint8_t)all->events[event].value;
    size_t key = key_of(all->events[event].thread, own->at);
    snprintf(all->texts[event], TEXT_SIZE, "@%zu;=v,%u,wadd8,%u,and8", key, now->constant,
             SCRIPT_VALUES - 1);
    if (now->to == NO_REGISTER)
        return;
    followed_register *to = &own->registers[now->to];
    to->value =
        (uint8_t)((written + SCRIPT_VALUES - now->constant % SCRIPT_VALUES) % SCRIPT_VALUES);
    to->last = event + 1;
    snprintf(to->text, sizeof to->text, "@%zu", key);
}

static void follow_access(following *all, followed_thread *own, const instruction *now,
                          size_t event)
{
    if (now->index != NO_REGISTER)
        guard(all, &own->registers[now->index], ",1,and8");
    if (now->kind == SCRIPT_STORE && now->from != NO_REGISTER)
        follow_store(all, &own->registers[now->from], now, event);
    if (now->kind == SCRIPT_ADD)
        follow_update(all, own, now, event);
    if (now->kind == SCRIPT_LOAD && now->to != NO_REGISTER)
        follow_load(all, &own->registers[now->to], event,
                    key_of(all->events[event].thread, own->at));
    if (now->kind == SCRIPT_COMPARE_EXCHANGE && now->to != NO_REGISTER)
        own->registers[now->to] = (followed_register){.value = all->events[event].op == SER_OP_RMW};
}

static void follow_event(following *all, size_t event)
{
    enum { EVENTS_OF_WAIT = 3 };
    size_t thread = all->events[event].thread;
    followed_thread *own = &all->threads[thread];
    const instruction *now = next_of(all, thread);
    if (now->kind <= SCRIPT_COMPARE_EXCHANGE)
        follow_access(all, own, now, event);
    own->phase = now->kind == SCRIPT_WAIT ? (own->phase + 1) % EVENTS_OF_WAIT : 0;
    own->at += own->phase == 0;
    if (own->phase == 0)
        (void)next_of(all, thread); /* branches right behind it */
}

/* All cells hold 0 at first, which the first write of each says. */
static void add_held(following *all, size_t count)
{
    bool is_written[SCRIPT_CELLS] = {false};
    for (size_t i = 0; i < count; i++) {
        ser_op op = (ser_op)all->events[i].op;
        bool writes = ser_op_is_access(op) && ser_op_writes(op);
        char rest[TEXT_SIZE];
        if (!writes || is_written[all->events[i].object])
            continue;
        is_written[all->events[i].object] = true;
        memcpy(rest, all->texts[i], sizeof rest);
        snprintf(all->texts[i], TEXT_SIZE, "<0%s%.*s", *rest ? ";" : "", TEXT_SIZE - 4, rest);
    }
}

void follow_script(const script *s, ser_event *events, size_t count, ser_symbols *symbols)
{
    following all = {.s = s, .events = events};
    all.texts = ser_alloc(count + 1, sizeof *all.texts);
    for (size_t i = 0; i < count; i++)
        if (events[i].op != SER_OP_SKIP)
            follow_event(&all, i);
    add_held(&all, count);
    for (size_t i = 0; i < count; i++)
        if (*all.texts[i])
            events[i].flow =
                ser_flow_with_guards(events[i].flow, ser_symbols_add_guards(symbols, all.texts[i],
                                                                            strlen(all.texts[i])));
    free(all.texts);
}
