/* SPDX-License-Identifier: MIT */
#include "witness/checker/followed.h"

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

bool ser_followed_is_joint(const ser_execution *run, uint32_t read)
{
    const ser_checker_code *code = run->code;
    if (!is_followed(run, read))
        return false;
    for (uint32_t i = code->first_ref[read]; i < code->first_ref[read + 1]; i++)
        if (ser_checker_code_is_joint(code, read, &code->refs.items[i]))
            return true;
    return false;
}

bool ser_followed_knows(ser_execution *run, uint32_t update)
{
    uint32_t variable = run->observed->events[update].object;
    bool is_alone = run->step == update && !ser_observed_is_joined(run->observed, update);
    if (run->code)
        return run->code->kind[update] == SER_CODE_UPDATES && is_alone && !run->dirty[variable] &&
               !run->values->is_torn[variable] && find_value(run, update, &run->seen);
    return run->reads && run->reads->writes_known.items[update];
}

bool ser_followed_find_held(const ser_execution *run, uint32_t variable, uint64_t *value)
{
    if (!run->code || run->dirty[variable])
        return false;
    *value = run->held_value[variable];
    return run->holds_altered[variable] ||
           ser_checker_values_find(run->values, variable, run->last_write[variable], value);
}

bool ser_followed_accepts(const ser_execution *run, uint32_t read)
{
    uint32_t variable = run->observed->events[read].object;
    if (run->code && is_followed(run, read) && !run->values->is_torn[variable])
        return keeps_guards(run, read);
    if (run->code && run->holds_altered[variable])
        return ser_checker_values_as_good(run->values, read, run->held_value[variable]);
    return is_accepted(run, read, run->last_write[variable]);
}

bool ser_followed_alters(ser_execution *run, uint32_t read)
{
    const ser_event *event = &run->observed->events[read];
    ser_execution_thread *thread = &run->threads[event->thread];
    uint64_t value;
    if (!run->code || !is_followed(run, read) || run->breaking ||
        run->observed->source[read] >= run->step || !find_value(run, read, &value) ||
        value == ser_checker_code_read(run->code, read))
        return false;
    run->altered[read] = true;
    run->altered_value[read] = value;
    thread->altered = read;
    thread->decides |= !(event->flow & SER_FLOW_DATA);
    ser_vector_push(&run->broken, read);
    uint32_t limit = ser_checker_flows_limit_of_data(run->flows, read, read);
    if (limit > read && limit < thread->limit)
        thread->limit = limit;
    return limit <= read;
}

static void note_value(ser_execution *run, uint32_t number, uint64_t value, uint64_t recorded)
{
    if (value != recorded)
        ser_vector_push(&run->other_values, ((ser_executed_value){number, value, recorded}));
}

void ser_followed_write(ser_execution *run, uint32_t write)
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
    if (run->holds_altered[event->object] && event->op == SER_OP_WRITE)
        note_value(run, write, value, event->value);
}

void ser_followed_pass_barrier(ser_execution *run, uint32_t number)
{
    ser_execution_thread *thread = &run->threads[run->observed->events[number].thread];
    if (run->code && run->code->kind[number] == SER_CODE_BARRIER && !thread->changed)
        thread->changed = thread->altered;
}

/* Not what its own step wrote; of updates only where they are computed. */
void ser_followed_note_read(ser_execution *run, uint32_t read)
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

void ser_followed_forget(ser_execution *run, uint32_t number)
{
    const ser_event *event = &run->observed->events[number];
    if (!run->code || !ser_checked_is_access(event))
        return;
    run->altered[number] = false;
    run->holds_altered[event->object] = false;
}
