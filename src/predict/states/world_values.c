/* SPDX-License-Identifier: MIT */
#include "predict/states/world_values.h"

#include "predict/states/world_internal.h"

/* In the fingerprint; the numbers of values are odd there. */
enum { NOT_KNOWN = 0, NOT_READ = 2 };

/* Of ser_world.alters. */
enum { DATA_ONLY = 1, DECIDES = 2 };

static const ser_value_step *value_step(const ser_world *world, uint32_t step)
{
    return &world->values->steps.items[step];
}

void ser_world_values_fini(ser_world *world)
{
    free(world->held);
    free(world->altered);
    free(world->alters);
    ser_pairmap_fini(&world->value_numbers);
    ser_vector_free(&world->value_list);
}

/* From 1. */
static uint32_t number_of(ser_world *world, uint64_t value)
{
    uint32_t fresh = (uint32_t)world->value_list.count + 1;
    uint32_t number = *ser_pairmap_add(&world->value_numbers, value, 0, fresh);
    if (number == fresh)
        ser_vector_push(&world->value_list, value);
    return number;
}

/* What a variable holds; false if that is not known. */
static bool find_value(const ser_world *world, uint32_t variable, uint64_t *value)
{
    const ser_value_variable *of = &world->values->variables.items[variable];
    uint32_t write = world->last_write[variable];
    if (write == SER_WORLD_DIRTY)
        return false;
    if (world->held[variable]) {
        *value = world->value_list.items[world->held[variable] - 1];
        return true;
    }
    *value = write == SER_TASK_START ? of->start : value_step(world, write)->written;
    return !of->is_torn &&
           (write == SER_TASK_START ? of->knows_start : value_step(world, write)->has_value);
}

uint32_t ser_world_number_held(ser_world *world, uint32_t variable)
{
    uint64_t value;
    return find_value(world, variable, &value) ? number_of(world, value) : 0;
}

/* What the fingerprint has of a variable that is shown by its value. */
static uint32_t shown_now(ser_world *world, uint32_t variable)
{
    uint64_t value;
    if (world->last_write[variable] == SER_WORLD_DIRTY || !world->reads_left[variable])
        return NOT_READ;
    return find_value(world, variable, &value) ? 2 * number_of(world, value) + 1 : NOT_KNOWN;
}

void ser_world_values_init(ser_world *world)
{
    const ser_task *task = world->task;
    world->held = ser_alloc(task->variables + (size_t)1, sizeof *world->held);
    world->altered = ser_alloc(task->steps.count + 1, sizeof *world->altered);
    world->alters = ser_alloc(task->threads.count + 1, sizeof *world->alters);
    for (uint32_t i = 0; i < task->variables; i++)
        if (world->values->variables.items[i].is_by_value)
            world->shown_write[i] = shown_now(world, i);
}

/* What a read gets: of its own write what it got from it in the trace. */
static bool find_seen(const ser_world *world, uint32_t read, uint64_t *value)
{
    const ser_task_step *step = ser_world_step_at(world, read);
    uint32_t write = world->last_write[step->variable];
    if (write == step->source && !world->held[step->variable]) {
        *value = value_step(world, read)->value;
        return true;
    }
    return find_value(world, step->variable, value);
}

static uint64_t operand_now(const ser_world *world, const ser_value_operand *operand)
{
    uint32_t altered = operand->step == SER_TASK_NONE ? 0 : world->altered[operand->step];
    return altered ? world->value_list.items[altered - 1] : operand->value;
}

typedef struct inputs {
    ser_guard_inputs all;
    uint64_t reads[SER_MOST_KEYS];
    bool known[SER_MOST_KEYS];
} inputs;

/* Those of an expression of the step, whose operands begin there; `value`: what it reads itself. */
static void gather(const ser_world *world, uint32_t number, uint64_t value, const ser_guards *code,
                   uint32_t first_operand, inputs *to)
{
    for (size_t i = 0; code && i < code->keys.count; i++) {
        const ser_value_operand *operand = &world->values->operands.items[first_operand + i];
        to->known[i] = operand->known;
        to->reads[i] = operand->step == number ? value : operand_now(world, operand);
    }
    to->all = (ser_guard_inputs){value, to->reads, to->known};
}

static bool is_followed(const ser_value_step *read)
{
    return read->kind == SER_VALUE_READS || read->kind == SER_VALUE_UPDATES;
}

bool ser_world_is_guard(const ser_world *world, uint32_t read)
{
    const ser_value_step *step = value_step(world, read);
    bool is_own = ser_world_step_at(world, read)->limit == SER_TASK_NONE && !step->is_joint;
    return is_followed(step) && !step->is_data && !is_own;
}

/* With the values of the trace there is nothing to compute. */
static bool keeps_guards(const ser_world *world, uint32_t read, uint64_t value)
{
    const ser_value_step *step = value_step(world, read);
    inputs now;
    if (value == step->value && !world->alters[ser_world_step_at(world, read)->thread])
        return true;
    gather(world, read, value, step->code, step->first_operand, &now);
    return ser_task_values_keeps(step, &now.all);
}

static bool is_as_good(const ser_world *world, uint32_t read, uint64_t value)
{
    const ser_value_step *step = value_step(world, read);
    const ser_guard_inputs now = {.value = value};
    if (step->knows_old && value == step->value)
        return true;
    return step->has_value && ser_world_step_at(world, read)->access == SER_ACCESS_READ &&
           (value == step->value ||
            (step->code && step->kind == SER_VALUE_PLAIN && ser_task_values_keeps(step, &now)));
}

bool ser_world_breaks_by_value(const ser_world *world, uint32_t read)
{
    const ser_task_step *step = ser_world_step_at(world, read);
    bool is_torn = world->values->variables.items[step->variable].is_torn;
    uint32_t write = world->last_write[step->variable];
    uint64_t value;
    if (write == SER_WORLD_DIRTY)
        return true;
    if (is_followed(value_step(world, read)) && !is_torn)
        return !find_seen(world, read, &value) || !keeps_guards(world, read, value);
    if (write == step->source && !world->held[step->variable])
        return false;
    return is_torn || !find_value(world, step->variable, &value) || !is_as_good(world, read, value);
}

bool ser_world_may_differ(const ser_world *world, uint32_t read, uint32_t own_write)
{
    const ser_task_step *step = ser_world_step_at(world, read);
    uint64_t value;
    if (own_write != SER_TASK_NONE)
        return own_write != step->source || world->alters[step->thread] ||
               world->changed[step->thread];
    if (world->last_write[step->variable] == SER_WORLD_DIRTY)
        return true;
    return !find_seen(world, read, &value) || value != value_step(world, read)->value ||
           world->alters[step->thread] || ser_world_breaks_by_value(world, read);
}

bool ser_world_is_at_barrier(const ser_world *world, uint32_t first)
{
    uint32_t end = ser_task_move_end(world->task, first);
    if (world->alters[ser_world_step_at(world, first)->thread] < DECIDES)
        return false;
    for (uint32_t i = first; i < end; i++)
        if (value_step(world, i)->kind == SER_VALUE_BARRIER)
            return true;
    return false;
}

/* --- what happens ------------------------------------------------------------- */

static void limit_thread(ser_world *world, uint32_t read)
{
    const ser_task_step *step = ser_world_step_at(world, read);
    uint32_t limit = value_step(world, read)->limit;
    if (!value_step(world, read)->is_data)
        ser_world_set_part(world, SER_PART_ALTERS, world->alters, step->thread, DECIDES);
    else if (!world->alters[step->thread])
        ser_world_set_part(world, SER_PART_ALTERS, world->alters, step->thread, DATA_ONLY);
    if (world->task->has_unspoiled)
        ser_world_set_part(world, SER_PART_SPOILED, &world->spoiled, 0, 1);
    if (limit < world->limit[step->thread])
        ser_world_set_part(world, SER_PART_LIMIT, world->limit, step->thread, limit);
    if (limit <= ser_task_move_end(world->task, read))
        ser_world_set_part(world, SER_PART_STOPPED, world->stopped, step->thread, 1);
}

void ser_world_pass_barrier(ser_world *world, uint32_t number)
{
    uint32_t thread = ser_world_step_at(world, number)->thread;
    if (value_step(world, number)->kind == SER_VALUE_BARRIER && world->alters[thread])
        ser_world_set_part(world, SER_PART_CHANGED, world->changed, thread, 1);
}

void ser_world_note_read(ser_world *world, uint32_t read)
{
    const ser_value_step *step = value_step(world, read);
    uint32_t variable = ser_world_step_at(world, read)->variable;
    uint64_t value;
    world->seen = step->value;
    if (!is_followed(step) || world->values->variables.items[variable].is_torn ||
        !find_seen(world, read, &value) || value == step->value)
        return;
    world->seen = value;
    if (world->values->last_use.items[read] != read)
        ser_world_set_part(world, SER_PART_ALTERED, world->altered, read, number_of(world, value));
    limit_thread(world, read);
}

bool ser_world_note_broken_update(ser_world *world, uint32_t update)
{
    uint32_t variable = ser_world_step_at(world, update)->variable;
    uint64_t value;
    bool is_alone = ser_task_move_first(world->task, update) == update &&
                    ser_task_move_end(world->task, update) == update + 1;
    if (value_step(world, update)->kind != SER_VALUE_UPDATES || !is_alone ||
        world->values->variables.items[variable].is_torn ||
        world->last_write[variable] == SER_WORLD_DIRTY || !find_seen(world, update, &value))
        return false;
    world->seen = value;
    return true;
}

/* Of a variable that is shown by its value, the number itself is no part of the state. */
static void hold(ser_world *world, uint32_t variable, uint32_t number)
{
    if (world->values->variables.items[variable].is_by_value)
        ser_world_set(world, &world->held[variable], number);
    else
        ser_world_set_part(world, SER_PART_HELD, world->held, variable, number);
}

/* What is written now; false if that has no result. */
static bool compute(const ser_world *world, uint32_t write, uint64_t *result)
{
    const ser_value_step *step = value_step(world, write);
    bool updates = step->kind == SER_VALUE_UPDATES;
    const ser_guards *code = updates ? step->update : step->code;
    uint32_t guards = updates && step->code ? (uint32_t)step->code->keys.count : 0;
    uint64_t results[SER_MOST_GUARDS];
    bool skips[SER_MOST_GUARDS];
    inputs now;
    gather(world, write, world->seen, code, step->first_operand + guards, &now);
    bool good = ser_guards_compute(code, &now.all, results, skips);
    *result = good ? results[0] : 0;
    return good;
}

void ser_world_note_write(ser_world *world, uint32_t write)
{
    const ser_value_step *step = value_step(world, write);
    uint32_t variable = ser_world_step_at(world, write)->variable;
    bool computes = step->kind == SER_VALUE_WRITES || step->kind == SER_VALUE_UPDATES;
    uint64_t value;
    hold(world, variable, 0);
    if (!computes || world->last_write[variable] == SER_WORLD_DIRTY ||
        (!world->alters[ser_world_step_at(world, write)->thread] && !world->breaking))
        return;
    if (!compute(world, write, &value))
        ser_world_set(world, &world->last_write[variable], SER_WORLD_DIRTY);
    else if (value != step->written)
        hold(world, variable, number_of(world, value));
}

void ser_world_forget_reads(ser_world *world, uint32_t number)
{
    const ser_value_step *step = value_step(world, number);
    size_t count =
        (step->code ? step->code->keys.count : 0) + (step->update ? step->update->keys.count : 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t read = world->values->operands.items[step->first_operand + i].step;
        if (read != SER_TASK_NONE && read != number &&
            world->values->last_use.items[read] == number)
            ser_world_set_part(world, SER_PART_ALTERED, world->altered, read, 0);
    }
}

bool ser_world_show_value(ser_world *world, uint32_t variable)
{
    if (!world->values->variables.items[variable].is_by_value)
        return false;
    ser_world_set_part(world, SER_PART_WRITE, world->shown_write, variable,
                       shown_now(world, variable));
    return true;
}
