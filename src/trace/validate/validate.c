/* SPDX-License-Identifier: MIT */
/*
 * Well-formedness, event by event; ser_validator_check is the loop.
 *
 * What an event may do depends on a small state of its thread (did it run, was
 * it joined, how deep are its blocks, which calls are open) and on its lock
 * (lock_rules.c). Reads and writes, the majority of every trace, need only the stage of their
 * thread.
 */
#include "trace/validate/validate.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/vector.h"
#include "trace/validate/rules.h"

/* A thread that is FRESH has no events yet. */
enum stage { FRESH, RUNNING, JOINED };

typedef struct open_call {
    uint32_t function;
    uint64_t number;
} open_call;

typedef struct thread_state {
    uint32_t stage;
    uint32_t depth; /* open begins */
    uint32_t joiner;
    uint32_t forker;
    uint64_t first;  /* number of the thread's first event */
    uint64_t forked; /* number of its fork; 0 for none */
    uint64_t joined; /* number of its first join; 0 for none */
    SER_VECTOR(open_call) calls;
} thread_state;

struct ser_validator {
    bool lenient;
    uint64_t dropped;
    ser_complaint complaint; /* the first one, with lenient */
    SER_VECTOR(thread_state) threads;
    SER_VECTOR(bool) running;      /* by thread: is its stage RUNNING? Dense, for the hot path */
    uint64_t started;              /* threads that have events */
    bool joined;                   /* the previous event has SER_EVENT_JOINED, */
    uint32_t joined_thread;        /* is of this thread, */
    uint8_t joined_op;             /* and of this operation: so must the next be */
    SER_VECTOR(uint64_t) arrivals; /* by barrier: the number of the last arrival */
    ser_lock_rules *locks;
};

ser_validator *ser_validator_create(const ser_symbols *symbols, bool lenient)
{
    ser_validator *validator = ser_alloc(1, sizeof *validator);
    validator->lenient = lenient;
    validator->complaint.symbols = symbols;
    validator->complaint.wanted = true;
    validator->locks = ser_lock_rules_create();
    return validator;
}

void ser_validator_destroy(ser_validator *validator)
{
    if (!validator)
        return;
    for (size_t i = 0; i < validator->threads.count; i++)
        ser_vector_free(&validator->threads.items[i].calls);
    ser_vector_free(&validator->threads);
    ser_vector_free(&validator->running);
    ser_vector_free(&validator->arrivals);
    ser_lock_rules_destroy(validator->locks);
    free(validator);
}

uint64_t ser_validator_threads(const ser_validator *validator)
{
    return validator->started;
}

uint64_t ser_validator_dropped(const ser_validator *validator)
{
    return validator->dropped;
}

const char *ser_validator_first_complaint(const ser_validator *validator)
{
    return validator->complaint.error.text;
}

bool ser_rule_broken(ser_complaint *complaint, const ser_event *event, uint64_t number,
                     const char *format, ...)
{
    if (!complaint->wanted)
        return false;
    char rule[sizeof complaint->error.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rule, sizeof rule, format, arguments);
    va_end(arguments);
    ser_fail(&complaint->error, SER_INPUT, "event %llu: %s %s", (unsigned long long)number,
             ser_symbols_name(complaint->symbols, SER_SPACE_THREAD, event->thread), rule);
    return false;
}

static const char *name_of(const ser_validator *validator, ser_space space, uint32_t number)
{
    return ser_symbols_name(validator->complaint.symbols, space, number);
}

/* The thread of a number. Threads move when this meets a new one. */
static thread_state *find_thread(ser_validator *validator, uint32_t thread)
{
    if (thread >= validator->threads.count)
        ser_vector_extend(&validator->threads, (size_t)thread + 1);
    return &validator->threads.items[thread];
}

static bool check_fork(ser_validator *validator, const ser_event *event, uint64_t number)
{
    ser_complaint *complaint = &validator->complaint;
    const char *name = name_of(validator, SER_SPACE_THREAD, event->object);
    if (event->object == event->thread)
        return ser_rule_broken(complaint, event, number, "forks itself");
    thread_state *child = find_thread(validator, event->object);
    if (child->forked)
        return ser_rule_broken(complaint, event, number, "forks %s, which %s forked at event %llu",
                               name, name_of(validator, SER_SPACE_THREAD, child->forker),
                               (unsigned long long)child->forked);
    if (child->joined)
        return ser_rule_broken(complaint, event, number, "forks %s, which %s joined at event %llu",
                               name, name_of(validator, SER_SPACE_THREAD, child->joiner),
                               (unsigned long long)child->joined);
    if (child->stage != FRESH)
        return ser_rule_broken(complaint, event, number,
                               "forks %s, which already ran at event %llu", name,
                               (unsigned long long)child->first);
    child->forked = number;
    child->forker = event->thread;
    return true;
}

/* Joining a thread twice is harmless, and so is joining one that never ran. */
static bool check_join(ser_validator *validator, const ser_event *event, uint64_t number)
{
    if (event->object == event->thread)
        return ser_rule_broken(&validator->complaint, event, number, "joins itself");
    thread_state *child = find_thread(validator, event->object);
    if (child->joined)
        return true;
    child->stage = JOINED;
    *ser_vector_slot(&validator->running, event->object) = false;
    child->joined = number;
    child->joiner = event->thread;
    return true;
}

static bool check_begin(ser_validator *validator, ser_event *event)
{
    if (find_thread(validator, event->thread)->depth++ > 0)
        event->flags |= SER_EVENT_INNER;
    return true;
}

static bool check_end(ser_validator *validator, ser_event *event, uint64_t number)
{
    thread_state *thread = find_thread(validator, event->thread);
    if (thread->depth == 0)
        return ser_rule_broken(&validator->complaint, event, number,
                               "ends a block, but has none open");
    if (--thread->depth > 0)
        event->flags |= SER_EVENT_INNER;
    return true;
}

static bool check_call(ser_validator *validator, const ser_event *event, uint64_t number)
{
    thread_state *thread = find_thread(validator, event->thread);
    open_call call = {event->object, number};
    ser_vector_push(&thread->calls, call);
    return true;
}

static bool check_return(ser_validator *validator, const ser_event *event, uint64_t number)
{
    thread_state *thread = find_thread(validator, event->thread);
    if (thread->calls.count == 0)
        return ser_rule_broken(&validator->complaint, event, number,
                               "returns from function %s, but has no call open",
                               name_of(validator, SER_SPACE_FUNCTION, event->object));
    const open_call *innermost = &thread->calls.items[thread->calls.count - 1];
    if (innermost->function != event->object)
        return ser_rule_broken(&validator->complaint, event, number,
                               "returns from function %s, but is in %s since event %llu",
                               name_of(validator, SER_SPACE_FUNCTION, event->object),
                               name_of(validator, SER_SPACE_FUNCTION, innermost->function),
                               (unsigned long long)innermost->number);
    thread->calls.count--;
    return true;
}

static bool check_arrival(ser_validator *validator, const ser_event *event, uint64_t number)
{
    ser_vector_extend(&validator->arrivals, (size_t)event->object + 1);
    validator->arrivals.items[event->object] = number;
    return true;
}

static bool check_departure(ser_validator *validator, const ser_event *event, uint64_t number)
{
    if (event->object < validator->arrivals.count && validator->arrivals.items[event->object])
        return true;
    return ser_rule_broken(&validator->complaint, event, number,
                           "departs from barrier %s, at which nobody arrived before",
                           name_of(validator, SER_SPACE_BARRIER, event->object));
}

/* Does the event break a rule? All but reads and writes come here. */
static bool check_operation(ser_validator *validator, ser_event *event, uint64_t number)
{
    ser_op op = (ser_op)event->op;
    switch (ser_op_space(op)) {
    case SER_SPACE_LOCK:
        return ser_lock_rules_check(validator->locks, event, number, &validator->complaint);
    case SER_SPACE_LABEL:
        return ser_op_opens(op) ? check_begin(validator, event)
                                : check_end(validator, event, number);
    case SER_SPACE_FUNCTION:
        return ser_op_opens(op) ? check_call(validator, event, number)
                                : check_return(validator, event, number);
    case SER_SPACE_THREAD:
        return ser_op_forks(op) ? check_fork(validator, event, number)
                                : check_join(validator, event, number);
    case SER_SPACE_BARRIER:
        return ser_op_departs(op) ? check_departure(validator, event, number)
                                  : check_arrival(validator, event, number);
    default:
        return true;
    }
}

static bool complain_after_join(ser_validator *validator, const ser_event *event, uint64_t number)
{
    const thread_state *thread = find_thread(validator, event->thread);
    const char *operand = name_of(validator, ser_op_space((ser_op)event->op), event->object);
    return ser_rule_broken(&validator->complaint, event, number,
                           "has an event, %s(%s), although %s joined it at event %llu",
                           ser_op_name((ser_op)event->op), operand,
                           name_of(validator, SER_SPACE_THREAD, thread->joiner),
                           (unsigned long long)thread->joined);
}

static bool complain_about_lateness(ser_validator *validator, const ser_event *event,
                                    uint64_t number)
{
    return ser_rule_broken(&validator->complaint, event, number,
                           "marks %s as late, but only accesses can be",
                           ser_op_name((ser_op)event->op));
}

/* The slow path: events other than accesses, and any event of a thread that is
 * fresh or joined. */
static bool check_event(ser_validator *validator, ser_event *event, uint64_t number)
{
    if ((event->flags & SER_EVENT_LATE) && !ser_op_is_access((ser_op)event->op))
        return complain_about_lateness(validator, event, number);
    if (!ser_op_takes_part((ser_op)event->op))
        return true;
    uint32_t stage = find_thread(validator, event->thread)->stage;
    if (stage == JOINED)
        return complain_after_join(validator, event, number);
    if (!check_operation(validator, event, number))
        return false;
    if (stage == FRESH) {
        thread_state *thread = find_thread(validator, event->thread);
        thread->stage = RUNNING;
        thread->first = number;
        *ser_vector_slot(&validator->running, event->thread) = true;
        validator->started++;
    }
    return true;
}

/* What remains of an event that breaks a rule. */
static void drop(ser_validator *validator, ser_event *event)
{
    uint64_t elided = ser_event_elided(event);
    event->op = SER_OP_SKIP;
    event->object = SER_NO_OBJECT;
    event->flags = elided ? SER_EVENT_HAS_VALUE : 0;
    event->value = elided;
    event->flow = 0;
    validator->dropped++;
    validator->complaint.wanted = false;
}

/* The rules of SER_EVENT_JOINED, for an event that has it or follows one that has. */
static bool check_joined(ser_validator *validator, const ser_event *event, uint64_t number)
{
    bool access = ser_op_is_access((ser_op)event->op), inside = validator->joined;
    validator->joined = false;
    if (inside && (!access || event->thread != validator->joined_thread))
        return ser_rule_broken(&validator->complaint, event, number,
                               "has an event, %s, in the middle of a step of %s, which the event "
                               "before it began",
                               ser_op_name((ser_op)event->op),
                               name_of(validator, SER_SPACE_THREAD, validator->joined_thread));
    if (inside && event->op != validator->joined_op)
        return ser_rule_broken(&validator->complaint, event, number,
                               "has an event, %s, in the middle of a step of %s events: an access "
                               "is one operation",
                               ser_op_name((ser_op)event->op),
                               ser_op_name((ser_op)validator->joined_op));
    if (!(event->flags & SER_EVENT_JOINED))
        return true;
    if (!access)
        return ser_rule_broken(&validator->complaint, event, number,
                               "joins %s to its next event, but only accesses can be joined",
                               ser_op_name((ser_op)event->op));
    validator->joined = true;
    validator->joined_thread = event->thread;
    validator->joined_op = event->op;
    return true;
}

ser_status ser_validator_check(ser_validator *validator, ser_event *events, size_t count,
                               uint64_t first, size_t *good, ser_error *error)
{
    for (size_t i = 0; i < count; i++) {
        ser_event *event = &events[i];
        bool fits = true, inside = validator->joined;
        if (__builtin_expect((event->flags & SER_EVENT_JOINED) != 0 || validator->joined, 0))
            fits = check_joined(validator, event, first + i);
        if (fits && ser_op_is_access((ser_op)event->op) &&
            event->thread < validator->running.count && validator->running.items[event->thread])
            continue;
        if (fits && check_event(validator, event, first + i))
            continue;
        if (!validator->lenient) {
            *good = i;
            if (error)
                *error = validator->complaint.error;
            return SER_INPUT;
        }
        drop(validator, event);
        validator->joined = false;
        if (inside && i > 0) /* the step ends before what was dropped */
            events[i - 1].flags &= (uint8_t)~SER_EVENT_JOINED;
    }
    *good = count;
    return SER_OK;
}
