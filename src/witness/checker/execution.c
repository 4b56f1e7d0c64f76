/* SPDX-License-Identifier: MIT */
/*
 * Executes an order by the rules of the header: ser_execution_step checks whether the event may
 * happen (checker/rules.c) and executes it. Resetting undoes only what was executed, so that many
 * short orders over a long trace stay cheap.
 */
#include "witness/checker/execution.h"

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

static bool is_accepted(const ser_execution *run, uint32_t read, uint32_t write)
{
    return write == run->observed->source[read] ||
           (run->reads && ser_reads_accepts(run->reads, read, write)) ||
           (run->values && ser_checker_values_accept(run->values, read, write));
}

/* What the read would see now; false if that is not known. */
static bool find_value(const ser_execution *run, uint32_t read, uint64_t *value)
{
    const ser_event *event = &run->observed->events[read];
    uint32_t write = run->last_write[event->object];
    *value = run->held_value[event->object];
    if (run->holds_altered[event->object])
        return true;
    *value = ser_checker_code_read(run->code, read);
    return write == run->observed->source[read] ||
           ser_checker_values_find(run->values, event->object, write, value);
}

static bool keeps_guards(const ser_execution *run, uint32_t read)
{
    ser_code_values values = {.code = run->code,
                              .event = read,
                              .altered = run->altered,
                              .altered_value = run->altered_value};
    const ser_event *event = &run->observed->events[read];
    if (!find_value(run, read, &values.now))
        return false;
    bool is_as_recorded = values.now == ser_checker_code_read(run->code, read) &&
                          !run->threads[event->thread].altered;
    return is_as_recorded || ser_checker_code_keeps(&values);
}

static bool is_followed(const ser_execution *run, uint32_t read)
{
    return run->code->kind[read] == SER_CODE_READS || run->code->kind[read] == SER_CODE_UPDATES;
}

/* The same where values are computed, of a variable that holds a known one. */
static bool is_broken_by_value(const ser_execution *run, uint32_t read)
{
    uint32_t variable = run->observed->events[read].object;
    if (is_followed(run, read) && !run->values->is_torn[variable])
        return !keeps_guards(run, read);
    if (run->holds_altered[variable])
        return !ser_checker_values_as_good(run->values, read, run->held_value[variable]);
    return !is_accepted(run, read, run->last_write[variable]);
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
    return run->code ? is_broken_by_value(run, number)
                     : !is_accepted(run, number, run->last_write[event->object]);
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

/* Do guards of the read name other reads? They may fail by what these had. */
static bool is_joint(const ser_execution *run, uint32_t read)
{
    const ser_checker_code *code = run->code;
    if (!is_followed(run, read))
        return false;
    for (uint32_t i = code->first_ref[read]; i < code->first_ref[read + 1]; i++)
        if (code->refs.items[i].event != read)
            return true;
    return false;
}

/* A read-modify-write that does not write, such as a compare-exchange, has compared: its thread
 * stops. */
static uint32_t limit_of_read(const ser_execution *run, uint32_t read, uint32_t last)
{
    if (ser_checked_op(&run->observed->events[read]) == SER_OP_RMW && !does_write(run, read))
        return SER_LIMIT_NEXT;
    if (run->code && is_joint(run, read) && !(run->observed->events[read].flow & SER_FLOW_DATA))
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

/* A read that is not broken, but sees another value, which is followed. */
static void note_altered(ser_execution *run, uint32_t read)
{
    const ser_event *event = &run->observed->events[read];
    ser_execution_thread *thread = &run->threads[event->thread];
    uint64_t value;
    if (!run->code || !is_followed(run, read) || run->breaking ||
        run->observed->source[read] >= run->step || !find_value(run, read, &value) ||
        value == ser_checker_code_read(run->code, read))
        return;
    run->altered[read] = true;
    run->altered_value[read] = value;
    thread->altered = read;
    thread->decides |= !(event->flow & SER_FLOW_DATA);
    ser_vector_push(&run->broken, read);
    uint32_t limit = ser_checker_flows_limit_of_data(run->flows, read, read);
    if (limit <= read)
        stop_thread(run, read);
    else if (limit < thread->limit)
        thread->limit = limit;
}

/* A write that is not dirty so far. */
static void compute_value(ser_execution *run, uint32_t write)
{
    const ser_event *event = &run->observed->events[write];
    ser_code_values values = {.code = run->code,
                              .event = write,
                              .altered = run->altered,
                              .altered_value = run->altered_value};
    uint64_t value = event->value;
    if (!run->code)
        return;
    bool updates = run->code->kind[write] == SER_CODE_UPDATES;
    if (updates)
        values.now = run->breaking         ? run->seen
                     : run->altered[write] ? run->altered_value[write]
                                           : ser_checker_code_read(run->code, write);
    if (!run->dirty[event->object] && (updates || run->code->kind[write] == SER_CODE_WRITES))
        run->dirty[event->object] = !ser_checker_code_computes(&values, &value);
    run->holds_altered[event->object] = !run->dirty[event->object] && value != event->value;
    run->held_value[event->object] = value;
}

/* Whatever was altered is data only: what is not known of it from here on is dirty. */
static void pass_barrier(ser_execution *run, uint32_t number)
{
    ser_execution_thread *thread = &run->threads[run->observed->events[number].thread];
    if (run->code && run->code->kind[number] == SER_CODE_BARRIER && !thread->changed)
        thread->changed = thread->altered;
}

static void note_value(ser_execution *run, uint32_t number, uint64_t value, uint64_t recorded)
{
    if (value != recorded)
        ser_vector_push(&run->other_values, ((ser_executed_value){number, value, recorded}));
}

/* What a read sees that is not of its own step; of updates only where they are computed. */
static void note_read_value(ser_execution *run, uint32_t read)
{
    const ser_event *event = &run->observed->events[read];
    uint32_t variable = event->object;
    uint64_t value;
    bool is_known = event->op == SER_OP_READ ? (event->flags & SER_EVENT_HAS_VALUE) != 0
                                             : run->code && is_followed(run, read);
    if (!run->values || !is_known || run->dirty[variable] ||
        run->observed->source[read] >= run->step)
        return;
    uint64_t recorded = run->code ? ser_checker_code_read(run->code, read) : event->value;
    if (run->code && run->holds_altered[variable])
        note_value(run, read, run->held_value[variable], recorded);
    else if (run->last_write[variable] != run->observed->source[read] &&
             ser_checker_values_find(run->values, variable, run->last_write[variable], &value))
        note_value(run, read, value, recorded);
}

/* Is what a broken read-modify-write writes known? If values are followed: as what it has read. */
static bool is_known(const ser_execution *run, uint32_t number, uint64_t *seen)
{
    uint32_t variable = run->observed->events[number].object;
    bool is_alone = run->step == number && !ser_observed_is_joined(run->observed, number);
    if (run->code)
        return run->code->kind[number] == SER_CODE_UPDATES && is_alone && !run->dirty[variable] &&
               !run->values->is_torn[variable] && find_value(run, number, seen);
    return run->reads && run->reads->writes_known.items[number];
}

/* What the variable holds, where values are followed; false: not known. */
static bool find_held(const ser_execution *run, uint32_t variable, uint64_t *value)
{
    if (!run->code || run->dirty[variable])
        return false;
    *value = run->held_value[variable];
    return run->holds_altered[variable] ||
           ser_checker_values_find(run->values, variable, run->last_write[variable], value);
}

static void execute_access(ser_execution *run, uint32_t number, uint32_t transaction)
{
    const ser_event *event = &run->observed->events[number];
    if (number == 1 || !ser_observed_is_joined(run->observed, number - 1))
        begin_step(run, number);
    ser_executed_access access = {.event = number, .transaction = transaction};
    access.knows_before = find_held(run, event->object, &access.before);
    pass_barrier(run, number);
    bool writes = does_write(run, number);
    if (ser_checked_op(event) != SER_OP_WRITE)
        note_read_value(run, number);
    if (is_broken(run, number))
        ser_vector_push(&run->broken, number);
    else if (ser_checked_op(event) != SER_OP_WRITE)
        note_altered(run, number);
    bool known = writes && run->breaking && is_known(run, number, &run->seen);
    if (writes) {
        run->last_write[event->object] = number;
        run->dirty[event->object] =
            run->may_change && ((run->breaking && !known) || run->threads[event->thread].changed);
        compute_value(run, number);
        if (run->code && run->holds_altered[event->object] && event->op == SER_OP_WRITE)
            note_value(run, number, run->held_value[event->object], event->value);
    }
    if (run->breaking && !ser_observed_is_joined(run->observed, number))
        limit_thread(run, number);
    if (run->ending && !ser_observed_is_joined(run->observed, number))
        stop_thread(run, run->ending);
    run->freed[event->object] |= event->op == SER_OP_FREE;
    access.writes = writes;
    access.knows_after = find_held(run, event->object, &access.after);
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

static void forget_values(ser_execution *run, uint32_t number)
{
    const ser_event *event = &run->observed->events[number];
    if (!run->code || !ser_checked_is_access(event))
        return;
    run->altered[number] = false;
    run->holds_altered[event->object] = false;
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
        forget_values(run, number);
    }
    run->order.count = run->broken.count = run->accesses.count = 0;
    run->other_values.count = 0;
    run->switches = run->round = 0;
}
