/* SPDX-License-Identifier: MIT */
/*
 * Executes an order by the rules of the header: ser_execution_step checks whether the event may
 * happen (checker/rules.c) and executes it. Resetting undoes only what was executed, so that many
 * short orders over a long trace stay cheap.
 */
#include "witness/checker/execution.h"

#include "witness/checker/followed.h"
#include "witness/checker/rules.h"

static void place_thread(ser_execution *run, size_t thread)
{
    run->threads[thread] = (ser_execution_thread){
        .next = run->observed->threads.items[thread].first, .limit = SER_LIMIT_NONE};
}

void ser_execution_init(ser_execution *run, const ser_observed *observed, const ser_reads *reads,
                        const ser_checker_values *values, ser_checker_flows *flows)
{
    *run = (ser_execution){.observed = observed,
                           .reads = reads,
                           .values = values,
                           .flows = flows,
                           .may_change = reads || values};
    run->done = ser_alloc((size_t)observed->count + 1, sizeof *run->done);
    run->threads = ser_alloc(observed->threads.count + 1, sizeof *run->threads);
    run->last_write = ser_alloc((size_t)observed->variables + 1, sizeof *run->last_write);
    run->dirty = ser_alloc((size_t)observed->variables + 1, sizeof *run->dirty);
    run->freed = ser_alloc((size_t)observed->variables + 1, sizeof *run->freed);
    run->locks = ser_alloc((size_t)observed->locks + 1, sizeof *run->locks);
    run->pending = ser_alloc((size_t)observed->conditions + 1, sizeof *run->pending);
    for (size_t thread = 0; thread < observed->threads.count; thread++)
        place_thread(run, thread);
}

void ser_execution_follow(ser_execution *run, const ser_checker_code *code)
{
    size_t events = (size_t)run->observed->count + 1;
    size_t variables = (size_t)run->observed->variables + 1;
    run->code = code;
    run->altered = ser_alloc(events, sizeof *run->altered);
    run->altered_value = ser_alloc(events, sizeof *run->altered_value);
    run->holds_altered = ser_alloc(variables, sizeof *run->holds_altered);
    run->held_value = ser_alloc(variables, sizeof *run->held_value);
}

void ser_execution_fini(ser_execution *run)
{
    free(run->altered);
    free(run->altered_value);
    free(run->holds_altered);
    free(run->held_value);
    for (uint32_t lock = 0; lock < run->observed->locks; lock++)
        ser_vector_free(&run->locks[lock].shared);
    for (uint32_t condition = 0; condition < run->observed->conditions; condition++)
        ser_vector_free(&run->pending[condition]);
    free(run->done);
    free(run->threads);
    free(run->last_write);
    free(run->dirty);
    free(run->freed);
    free(run->locks);
    free(run->pending);
    ser_vector_free(&run->order);
    ser_vector_free(&run->broken);
    ser_vector_free(&run->accesses);
    ser_vector_free(&run->other_values);
}

/* Blocks are followed thread by thread: a thread executes its events in order. */
static uint32_t enter_transaction(ser_execution_thread *thread, const ser_event *event,
                                  uint32_t number)
{
    if (!thread->transaction && (event->flags & SER_EVENT_OPENS))
        thread->transaction = number;
    uint32_t transaction = thread->transaction ? thread->transaction : number;
    if (event->flags & SER_EVENT_CLOSES)
        thread->transaction = 0;
    return transaction;
}

static void stop_thread(ser_execution *run, uint32_t number)
{
    run->threads[run->observed->events[number].thread].stopped = number;
}

/* Is the access, of the newest step, a broken (changed) read? What the step itself wrote
 * before it is what it read in the trace, too. */
static bool is_broken(const ser_execution *run, uint32_t number)
{
    const ser_event *event = &run->observed->events[number];
    if (ser_checked_op(event) == SER_OP_WRITE || run->observed->source[number] >= run->step)
        return false;
    if (run->dirty[event->object])
        return true;
    return !ser_followed_accepts(run, number);
}

bool ser_execution_is_freed(const ser_execution *run, uint32_t number)
{
    const ser_observed *observed = run->observed;
    return observed->after_free && !run->happened &&
           (observed->after_free[number] || run->freed[observed->events[number].object]);
}

/* Looks ahead over all events of a step before the first of them happens. */
static void begin_step(ser_execution *run, uint32_t first)
{
    uint32_t last = first;
    while (ser_observed_is_joined(run->observed, last))
        last++;
    run->step = first;
    run->breaking = run->ending = 0;
    for (uint32_t number = last; number >= first; number--) {
        if (is_broken(run, number))
            run->breaking = number;
        if (ser_execution_is_freed(run, number))
            run->ending = number;
    }
}

static bool does_write(const ser_execution *run, uint32_t number)
{
    ser_op op = ser_checked_op(&run->observed->events[number]);
    if (op != SER_OP_RMW || !run->breaking)
        return op != SER_OP_READ;
    uint32_t last = number;
    while (ser_observed_is_joined(run->observed, last))
        last++;
    if (run->flows)
        return ser_checker_flows_writes(run->flows, run->step, last);
    return run->reads && run->reads->writes_anyway.items[number];
}

/* A read-modify-write that does not write, such as a compare-exchange, has compared: its thread
 * stops. */
static uint32_t limit_of_read(const ser_execution *run, uint32_t read, uint32_t last)
{
    if (ser_checked_op(&run->observed->events[read]) == SER_OP_RMW && !does_write(run, read))
        return SER_LIMIT_NEXT;
    if (run->code && ser_followed_is_joint(run, read) &&
        !(run->observed->events[read].flow & SER_FLOW_DATA))
        return ser_checker_flows_delay(run->flows, read, run->code->symbols);
    uint32_t limit = run->flows ? ser_checker_flows_limit(run->flows, read, last) : SER_LIMIT_NEXT;
    if (run->code && limit == SER_LIMIT_NEXT)
        return ser_checker_flows_delay(run->flows, read, run->code->symbols);
    if (run->flows)
        return limit;
    return run->reads ? run->reads->rules.items[read].limit : SER_LIMIT_NEXT;
}

/* The smallest limit of the newest step's reads, whose last event is given. */
static uint32_t limit_of_step(const ser_execution *run, uint32_t last)
{
    uint32_t smallest = SER_LIMIT_NONE;
    for (uint32_t number = run->step; number <= last; number++) {
        if (ser_checked_op(&run->observed->events[number]) == SER_OP_WRITE)
            continue;
        uint32_t limit = limit_of_read(run, number, last);
        smallest = limit < smallest ? limit : smallest;
    }
    return smallest;
}

/* The thread has made a step with a changed read. */
static void limit_thread(ser_execution *run, uint32_t last)
{
    uint32_t limit = limit_of_step(run, last);
    ser_execution_thread *thread = &run->threads[run->observed->events[last].thread];
    thread->changed = run->breaking;
    if (limit <= last)
        stop_thread(run, run->breaking);
    else if (limit < thread->limit)
        thread->limit = limit;
}

static void execute_access(ser_execution *run, uint32_t number, uint32_t transaction)
{
    const ser_event *event = &run->observed->events[number];
    if (number == 1 || !ser_observed_is_joined(run->observed, number - 1))
        begin_step(run, number);
    ser_executed_access access = {.event = number, .transaction = transaction};
    access.knows_before = ser_followed_find_held(run, event->object, &access.before);
    ser_followed_pass_barrier(run, number);
    bool writes = does_write(run, number);
    if (ser_checked_op(event) != SER_OP_WRITE)
        ser_followed_note_read(run, number);
    if (is_broken(run, number))
        ser_vector_push(&run->broken, number);
    else if (ser_checked_op(event) != SER_OP_WRITE && ser_followed_alters(run, number))
        stop_thread(run, number);
    bool known = writes && run->breaking && ser_followed_knows(run, number);
    if (writes) {
        run->last_write[event->object] = number;
        run->dirty[event->object] =
            run->may_change && ((run->breaking && !known) || run->threads[event->thread].changed);
        ser_followed_write(run, number);
    }
    if (run->breaking && !ser_observed_is_joined(run->observed, number))
        limit_thread(run, number);
    if (run->ending && !ser_observed_is_joined(run->observed, number))
        stop_thread(run, run->ending);
    run->freed[event->object] |= event->op == SER_OP_FREE;
    access.writes = writes;
    access.knows_after = ser_followed_find_held(run, event->object, &access.after);
    ser_vector_push(&run->accesses, access);
}

/* Takes a thread's event out of a list that holds at most one of each thread. */
static void remove_of_thread(const ser_execution *run, ser_event_numbers *list, uint32_t thread)
{
    size_t at = 0;
    while (at < list->count && run->observed->events[list->items[at]].thread != thread)
        at++;
    if (at < list->count)
        list->items[at] = list->items[--list->count];
}

static void execute_lock(ser_execution *run, uint32_t number)
{
    const ser_event *event = &run->observed->events[number];
    ser_lock_holders *lock = &run->locks[event->object];
    if (event->flags & SER_EVENT_INNER ||
        ser_lock_holders_change(lock, run->observed->events, number))
        return;
    if (!ser_lock_holders_have(lock, run->observed->source[number])) { /* a failed try */
        stop_thread(run, number);
        ser_vector_push(&run->broken, number);
    }
}

/* The thread makes an event, so it no longer waits. */
static void wake(ser_execution *run, const ser_execution_thread *thread)
{
    const ser_event *last = &run->observed->events[thread->last];
    if (thread->last && ser_checked_op(last) == SER_OP_WAIT)
        remove_of_thread(run, &run->pending[last->object], last->thread);
}

static void take_effect(ser_execution *run, uint32_t number, uint32_t transaction)
{
    const ser_event *event = &run->observed->events[number];
    switch (ser_checked_op(event)) {
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        execute_access(run, number, transaction);
        break;
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_TRY_FAILED:
        execute_lock(run, number);
        break;
    case SER_OP_WAIT:
        ser_vector_push(&run->pending[event->object], number);
        break;
    default: /* it only has to have happened */
        break;
    }
}

static void count_switch(ser_execution *run, uint32_t thread)
{
    if (run->order.count == 0)
        return;
    uint32_t last = run->order.items[run->order.count - 1];
    run->switches += run->observed->events[last].thread != thread;
}

ser_status ser_execution_step(ser_execution *run, uint32_t number, ser_error *error)
{
    ser_status status = ser_rules_allow(run, number, error);
    if (status)
        return status;
    const ser_event *event = &run->observed->events[number];
    ser_execution_thread *thread = &run->threads[event->thread];
    count_switch(run, event->thread);
    ser_vector_push(&run->order, number);
    run->done[number] = true;
    wake(run, thread);
    thread->last = number;
    thread->next = run->observed->next[number];
    take_effect(run, number, enter_transaction(thread, event, number));
    if (ser_checked_op(event) == SER_OP_DEPART)
        run->round = run->observed->source[number];
    return SER_OK;
}

static void forget_effect(ser_execution *run, const ser_event *event)
{
    switch (ser_checked_op(event)) {
    case SER_OP_WRITE:
    case SER_OP_RMW:
        run->last_write[event->object] = 0;
        run->dirty[event->object] = run->freed[event->object] = false;
        break;
    case SER_OP_ACQUIRE:
    case SER_OP_SHARED_ACQUIRE:
        run->locks[event->object].exclusive = 0;
        run->locks[event->object].shared.count = 0;
        break;
    case SER_OP_WAIT:
        run->pending[event->object].count = 0;
        break;
    default:
        break;
    }
}

void ser_execution_reset(ser_execution *run)
{
    for (size_t i = 0; i < run->order.count; i++) {
        uint32_t number = run->order.items[i];
        const ser_event *event = &run->observed->events[number];
        run->done[number] = false;
        place_thread(run, event->thread);
        forget_effect(run, event);
        ser_followed_forget(run, number);
    }
    run->order.count = run->broken.count = run->accesses.count = 0;
    run->other_values.count = 0;
    run->switches = run->round = 0;
}
