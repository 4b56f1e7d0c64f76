/* SPDX-License-Identifier: MIT */
/* From the code of a run to that of a task: events become steps, and what is above the segment has
 * its recorded values. */
#include "predict/values/task_values.h"

#include <string.h>

#include "predict/model/delayed_limits.h"

typedef struct making {
    ser_task_values *values;
    const ser_task *task;
    const ser_segment *segment;
    const ser_value_code *code;
    uint32_t *step_of; /* by event: 1 + its step; 0: it has none */
} making;

static const ser_event *event_of(const making *make, uint32_t step)
{
    return &make->code->run->events[make->task->steps.items[step].event];
}

/* --- variables --------------------------------------------------------------- */

/* What the start of the segment leaves behind; the initial value where it writes nothing. */
static void set_starts(making *make, const uint32_t *variable_of)
{
    const ser_run *run = make->code->run;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || !ser_op_writes((ser_op)event->op) ||
            !variable_of[event->object] || !ser_segment_starts_with(make->segment, run, i))
            continue;
        ser_value_variable *variable =
            &make->values->variables.items[variable_of[event->object] - 1];
        variable->knows_start = ser_has_value(event);
        variable->start = event->value;
    }
}

static void set_variables(making *make)
{
    const ser_value_facts *facts = &make->code->facts;
    uint32_t *variable_of = ser_alloc(facts->variables.count + 1, sizeof *variable_of);
    ser_vector_extend(&make->values->variables, make->task->variables);
    for (uint32_t i = 0; i < make->task->steps.count; i++) {
        const ser_task_step *step = &make->task->steps.items[i];
        if (step->access == SER_ACCESS_NONE)
            continue;
        uint32_t object = event_of(make, i)->object;
        const ser_variable_facts *of = &facts->variables.items[object];
        variable_of[object] = step->variable + 1;
        make->values->variables.items[step->variable] =
            (ser_value_variable){.start = of->initial,
                                 .knows_start = of->knows_initial,
                                 .is_torn = of->opaque,
                                 .is_by_value = !of->opaque};
    }
    set_starts(make, variable_of);
    free(variable_of);
    for (uint32_t i = 0; i < make->task->steps.count; i++) {
        const ser_task_step *step = &make->task->steps.items[i];
        const ser_value_step *of = &make->values->steps.items[i];
        bool depends =
            !of->has_value || (step->access == SER_ACCESS_RMW && of->kind != SER_VALUE_UPDATES);
        if (step->access != SER_ACCESS_NONE && depends)
            make->values->variables.items[step->variable].is_by_value = false;
    }
}

/* --- steps ------------------------------------------------------------------- */

/* The step whose event is the limit, in the thread of the read. */
static uint32_t limit_of(const making *make, uint32_t read, uint32_t limit)
{
    const ser_run *run = make->code->run;
    uint32_t event = make->task->steps.items[read].event;
    const ser_task_thread *thread =
        &make->task->threads.items[make->task->steps.items[read].thread];
    uint32_t end = thread->first + thread->count, next = ser_task_move_end(make->task, read);
    const ser_event_list *events = &run->threads.items[run->events[event].thread].events;
    if (limit == SER_LIMIT_NEXT)
        return next;
    if (limit == SER_LIMIT_END)
        return make->task->steps.items[end - 1].event == events->items[events->count - 1]
                   ? end
                   : SER_TASK_NONE;
    if (limit == SER_LIMIT_NONE || !make->step_of[limit])
        return SER_TASK_NONE;
    return make->step_of[limit] - 1 > next ? make->step_of[limit] - 1 : next;
}

static void add_operands(making *make, uint32_t number, size_t first_ref, size_t count,
                         bool *is_joint)
{
    const ser_value_code *code = make->code;
    for (size_t i = 0; i < count; i++) {
        uint32_t read = code->refs.items[first_ref + i].event;
        uint32_t of = read && make->step_of[read] ? make->step_of[read] - 1 : SER_TASK_NONE;
        *is_joint |= of != number;
        ser_value_operand operand = {of, read ? code->read[read] : 0, read != 0};
        ser_vector_push(&make->values->operands, operand);
        if (of != SER_TASK_NONE)
            make->values->last_use.items[of] = number;
    }
}

/* What the guards of a read give in the trace; kept at the end of results and skips. */
static bool compute_results(const making *make, const ser_value_step *step, uint64_t *results,
                            bool *skips)
{
    uint64_t reads[SER_MOST_KEYS];
    bool known[SER_MOST_KEYS];
    for (size_t i = 0; i < step->code->keys.count; i++) {
        const ser_value_operand *operand = &make->values->operands.items[step->first_operand + i];
        reads[i] = operand->value;
        known[i] = operand->known;
    }
    const ser_guard_inputs inputs = {step->value, reads, known};
    return ser_guards_compute(step->code, &inputs, results, skips);
}

/* Room was made for all of them, so that they stay where they are. */
static void keep_results(making *make, ser_value_step *step)
{
    uint64_t results[SER_MOST_GUARDS];
    bool skips[SER_MOST_GUARDS];
    if (!step->code || !compute_results(make, step, results, skips))
        return;
    ser_check(make->values->results.count + step->code->count <= make->values->results.capacity);
    step->results = make->values->results.items + make->values->results.count;
    step->skips = make->values->skips.items + make->values->skips.count;
    for (size_t i = 0; i < step->code->count; i++) {
        ser_vector_push(&make->values->results, results[i]);
        ser_vector_push(&make->values->skips, skips[i]);
    }
}

static void set_code(making *make, uint32_t number, ser_value_step *step)
{
    const ser_value_code *code = make->code;
    uint32_t event = make->task->steps.items[number].event;
    step->kind = code->kind[event];
    step->first_operand = (uint32_t)make->values->operands.count;
    bool is_update = make->task->steps.items[number].access == SER_ACCESS_RMW;
    if (step->kind == SER_VALUE_BARRIER || (is_update && step->kind != SER_VALUE_UPDATES))
        return;
    step->code = ser_value_code_of(code, event);
    if (step->kind == SER_VALUE_UPDATES)
        step->update = ser_value_code_update(code, event);
    add_operands(make, number, code->first_ref[event],
                 (step->code ? step->code->keys.count : 0) +
                     (step->update ? step->update->keys.count : 0),
                 &step->is_joint);
}

static void add_step(making *make, uint32_t number)
{
    const ser_event *event = event_of(make, number);
    ser_value_step step = {.limit = SER_TASK_NONE, .stop = SER_TASK_NONE};
    make->values->last_use.items[number] = number;
    if (make->task->steps.items[number].access != SER_ACCESS_NONE) {
        step.value = make->code->read[make->task->steps.items[number].event];
        step.written = event->value;
        step.has_value = ser_has_value(event);
        step.knows_old = make->code->knows_old[make->task->steps.items[number].event];
        step.is_data = event->flow & SER_FLOW_DATA;
        set_code(make, number, &step);
    }
    if (step.kind == SER_VALUE_READS || step.kind == SER_VALUE_UPDATES) {
        uint32_t of = make->task->steps.items[number].event;
        step.limit = limit_of(make, number, make->code->limit[of]);
        step.stop =
            limit_of(make, number, ser_delayed_limit(make->code->run, of, make->code->limit[of]));
    }
    if (ser_op_reads((ser_op)event->op))
        keep_results(make, &step);
    ser_vector_push(&make->values->steps, step);
}

static void add_steps(making *make)
{
    size_t steps = make->task->steps.count, results = 0;
    ser_vector_extend(&make->values->last_use, steps);
    for (uint32_t i = 0; i < steps; i++) {
        const ser_guards *code =
            ser_op_reads((ser_op)event_of(make, i)->op)
                ? ser_value_code_of(make->code, make->task->steps.items[i].event)
                : NULL;
        results += code ? code->count : 0;
    }
    ser_vector_reserve(&make->values->results, results);
    ser_vector_reserve(&make->values->skips, results);
    for (uint32_t i = 0; i < steps; i++)
        add_step(make, i);
}

ser_task_values *ser_task_values_create(const ser_task *task, const ser_segment *segment,
                                        const ser_value_code *code)
{
    making make = {.values = ser_alloc(1, sizeof *make.values),
                   .task = task,
                   .segment = segment,
                   .code = code};
    make.values->is_partial = code->is_partial;
    make.values->is_mixed = code->is_mixed;
    make.step_of = ser_alloc((size_t)code->run->count + 1, sizeof *make.step_of);
    for (uint32_t i = 0; i < task->steps.count; i++)
        make.step_of[task->steps.items[i].event] = i + 1;
    add_steps(&make);
    set_variables(&make);
    free(make.step_of);
    return make.values;
}

void ser_task_values_destroy(ser_task_values *values)
{
    if (!values)
        return;
    ser_vector_free(&values->steps);
    ser_vector_free(&values->operands);
    ser_vector_free(&values->variables);
    ser_vector_free(&values->last_use);
    ser_vector_free(&values->results);
    ser_vector_free(&values->skips);
    free(values);
}

bool ser_task_values_keeps(const ser_value_step *read, const ser_guard_inputs *inputs)
{
    uint64_t results[SER_MOST_GUARDS];
    bool skips[SER_MOST_GUARDS];
    if (!read->code)
        return true;
    if (!read->results || !ser_guards_compute(read->code, inputs, results, skips))
        return false;
    for (size_t i = 0; i < read->code->count; i++)
        if (!read->skips[i] && results[i] != read->results[i])
            return false;
    return true;
}
