/* SPDX-License-Identifier: MIT */
/*
 * Each thread is executed along its events, with an expression for each register. A key is the
 * number of its event. A guard belongs to the last read that it names.
 */
#include "follow_script.h"

#include <string.h>

enum { TEXT_SIZE = 400, OPERATION_SIZE = 32 };

typedef struct followed_register {
    uint8_t value;
    char text[TEXT_SIZE]; /* "": it depends on no read that is followed */
    size_t last;          /* 1 + the index of the last read that it depends on */
} followed_register;

typedef struct followed_thread {
    size_t at, phase; /* next instruction; events of a wait so far */
    followed_register registers[SCRIPT_REGISTERS];
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
    size_t length = strlen(text);
    snprintf(text + length, TEXT_SIZE - length, "%s%s%s", length ? ";" : "", from->text, operation);
}

static void guard(following *all, const followed_register *from, const char *operation)
{
    if (*from->text)
        add_text(all, from->last - 1, from, operation);
}

/* Jumps and branches up to what makes an event. */
static const instruction *next_of(following *all, size_t thread)
{
    followed_thread *own = &all->threads[thread];
    for (;;) {
        const instruction *now = &all->s->code[thread][own->at];
        char operation[OPERATION_SIZE];
        if (now->kind == SCRIPT_JUMP) {
            own->at = now->target;
        } else if (now->kind == SCRIPT_UNLESS) {
            const followed_register *from = &own->registers[now->from];
            snprintf(operation, sizeof operation, ",%u,eq8", now->constant);
            guard(all, from, operation);
            own->at = from->value == now->constant ? own->at + 1 : now->target;
        } else {
            return now;
        }
    }
}

static void follow_load(following *all, followed_register *to, size_t event)
{
    snprintf(all->texts[event], TEXT_SIZE, "@%zu", event + 1);
    to->value = (uint8_t)all->events[event].value;
    to->last = event + 1;
    snprintf(to->text, sizeof to->text, "@%zu", event + 1);
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
    snprintf(all->texts[event], TEXT_SIZE, "@%zu;=v,%u,wadd8,%u,and8", event + 1, now->constant,
             SCRIPT_VALUES - 1);
    if (now->to == NO_REGISTER)
        return;
    followed_register *to = &own->registers[now->to];
    to->value =
        (uint8_t)((written + SCRIPT_VALUES - now->constant % SCRIPT_VALUES) % SCRIPT_VALUES);
    to->last = event + 1;
    snprintf(to->text, sizeof to->text, "@%zu", event + 1);
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
        follow_load(all, &own->registers[now->to], event);
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
