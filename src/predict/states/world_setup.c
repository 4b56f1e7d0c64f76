/* SPDX-License-Identifier: MIT */
/* The first state of a task, and what is counted once for all states. */
#include "base/idmap.h"
#include "predict/states/world_values.h"

static uint32_t *new_array(size_t count, uint32_t value)
{
    uint32_t *array = ser_alloc(count, sizeof *array);
    for (size_t i = 0; value && i < count; i++)
        array[i] = value;
    return array;
}

static void count_step(ser_world *world, const ser_task_step *step)
{
    bool reads = step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW;
    bool writes = step->access == SER_ACCESS_WRITE || step->access == SER_ACCESS_RMW;
    if (reads) {
        world->reads_left[step->variable]++;
        if (step->source == SER_TASK_START)
            world->start_readers_left[step->variable]++;
        else if (step->source != SER_TASK_NEVER)
            world->readers_left[step->source]++;
    }
    if (writes)
        world->writes_left[step->variable]++;
    if (step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED)
        world->acquires_left[step->lock]++;
    if (step->action == SER_LOCK_TEST)
        world->has_tests[step->lock] = 1;
    if (step->in_block && step->access != SER_ACCESS_NONE)
        world->block_accesses_left++;
    for (uint32_t i = 0; i < step->clear.count; i++)
        world->blocks_notify[world->task->lists.items[step->clear.first + i]] = 1;
}

static void link_accesses(ser_world *world, const ser_task_thread *thread)
{
    ser_idmap last = {0};
    for (uint32_t i = thread->first; i < thread->first + thread->count; i++) {
        if (world->task->steps.items[i].access == SER_ACCESS_NONE)
            continue;
        uint32_t *previous =
            ser_idmap_add(&last, world->task->steps.items[i].variable, SER_TASK_NONE);
        world->rest[i].previous = *previous;
        *previous = i;
    }
    ser_idmap_fini(&last);
}

/* From each thread's last step to its first: what it still does to the same object. */
static void count_rests(ser_world *world, const ser_task_thread *thread)
{
    ser_idmap reads = {0}, writes = {0}, acquires = {0};
    for (uint32_t i = thread->count; i-- > 0;) {
        const ser_task_step *step = &world->task->steps.items[thread->first + i];
        ser_step_rest *rest = &world->rest[thread->first + i];
        if (step->access != SER_ACCESS_NONE) {
            uint32_t *left = ser_idmap_add(&reads, step->variable, 0);
            rest->reads = *left += step->access != SER_ACCESS_WRITE;
            left = ser_idmap_add(&writes, step->variable, 0);
            rest->writes = *left += step->access != SER_ACCESS_READ;
        }
        if (step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED)
            rest->acquires = *ser_idmap_add(&acquires, step->lock, 0) += 1;
    }
    link_accesses(world, thread);
    ser_idmap_fini(&reads);
    ser_idmap_fini(&writes);
    ser_idmap_fini(&acquires);
}

/* The number of a list of accepted writes; new ones are linked to what is in them. */
static uint32_t number_list(ser_world *world, ser_idmap *known, const ser_task_step *read)
{
    uint32_t fresh = (uint32_t)known->count;
    uint32_t number = *ser_idmap_add(known, read->accepts.first, fresh);
    for (uint32_t i = 0; number == fresh && i < read->accepts.count; i++) {
        uint32_t write = world->task->lists.items[read->accepts.first + i];
        uint32_t *head = write == SER_TASK_START ? &world->start_accepting[read->variable]
                                                 : &world->accepting[write];
        ser_vector_push(&world->chains, ((ser_accepting){number, *head}));
        *head = (uint32_t)world->chains.count;
    }
    return number;
}

static void count_accepted(ser_world *world)
{
    const ser_task *task = world->task;
    ser_idmap known = {0};
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        if (!step->accepts.count)
            continue;
        if (!world->accept_list) {
            world->accept_list = new_array(task->steps.count, 0);
            world->accept_left = new_array(task->steps.count, 0);
            world->accepting = new_array(task->steps.count, 0);
            world->start_accepting = new_array(task->variables, 0);
        }
        uint32_t list = number_list(world, &known, step);
        world->accept_list[i] = list + 1;
        world->accept_left[list]++;
    }
    ser_idmap_fini(&known);
}

static void hold_locks(ser_world *world)
{
    const ser_task *task = world->task;
    for (uint32_t i = 0; i < task->locks.count; i++) {
        const ser_task_lock *lock = &task->locks.items[i];
        world->holder[i] = lock->holder;
        world->holding_step[i] = lock->holder == SER_TASK_NONE ? SER_TASK_NONE : SER_TASK_START;
        world->sharers[i] = (uint32_t)lock->sharers.count;
        for (size_t j = 0; j < lock->sharers.count; j++)
            world->shares[(size_t)i * task->threads.count + lock->sharers.items[j]] =
                SER_TASK_START;
    }
}

/* Numbers the transactions that have accesses, into numbers[] where it is not NULL;
 * how many there are. Others are on no cycle. */
static uint32_t number_accesses(const ser_task *task, uint32_t *numbers)
{
    ser_idmap known = {0};
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        if (step->access == SER_ACCESS_NONE)
            continue;
        uint32_t number = *ser_idmap_add(&known, step->transaction, (uint32_t)known.count);
        if (numbers)
            numbers[i] = number;
    }
    uint32_t count = (uint32_t)known.count;
    ser_idmap_fini(&known);
    return count;
}

size_t ser_world_bytes(const ser_task *task, ser_criterion criterion)
{
    size_t bytes = task->steps.count * 64 + task->variables * (size_t)64 +
                   task->locks.count * (task->threads.count + 8) * sizeof(uint32_t);
    if (criterion == SER_CRITERION_SERIALIZABILITY) {
        size_t count = number_accesses(task, NULL);
        bytes += count * ((count + 63) / 64) * 2 * sizeof(uint64_t);
    }
    return bytes;
}

static void number_transactions(ser_world *world)
{
    const ser_task *task = world->task;
    world->transaction = new_array(task->steps.count, 0);
    uint32_t count = number_accesses(task, world->transaction);
    ser_relation_init(&world->relation, count);
    world->last_transaction = new_array(task->threads.count, SER_TASK_NONE);
    world->write_transaction = new_array(task->variables, SER_TASK_NONE);
    world->read_by = new_array(task->variables, 0);
}

void ser_world_init(ser_world *world, const ser_task *task, ser_criterion criterion)
{
    size_t steps = task->steps.count, threads = task->threads.count;
    size_t variables = task->variables, locks = task->locks.count;
    *world = (ser_world){.task = task, .criterion = criterion};
    world->position = new_array(threads, 0);
    world->limit = new_array(threads, SER_TASK_NONE);
    world->stopped = new_array(threads, 0);
    world->changed = new_array(threads, 0);
    world->reached = new_array(threads, 0);
    world->last_write = new_array(variables, SER_TASK_START);
    world->shown_write = new_array(variables, SER_TASK_START);
    world->touched = new_array(variables, 0);
    world->start_readers_left = new_array(variables, 0);
    world->reads_left = new_array(variables, 0);
    world->writes_left = new_array(variables, 0);
    world->holder = new_array(locks, SER_TASK_NONE);
    world->holding_step = new_array(locks, SER_TASK_NONE);
    world->sharers = new_array(locks, 0);
    world->acquires_left = new_array(locks, 0);
    world->has_tests = new_array(locks, 0);
    world->readers_left = new_array(steps, 0);
    world->blocks_notify = new_array(steps, 0);
    world->rest = ser_alloc(steps, sizeof *world->rest);
    world->shares = new_array(locks * threads, 0);
    for (size_t i = 0; i < steps; i++)
        count_step(world, &task->steps.items[i]);
    for (size_t i = 0; i < threads; i++)
        count_rests(world, &task->threads.items[i]);
    count_accepted(world);
    hold_locks(world);
    world->values = task->values;
    if (world->values)
        ser_world_values_init(world);
    if (criterion == SER_CRITERION_SERIALIZABILITY)
        number_transactions(world);
}

void ser_world_fini(ser_world *world)
{
    uint32_t *const arrays[] = {
        world->position,
        world->limit,
        world->stopped,
        world->changed,
        world->reached,
        world->last_write,
        world->shown_write,
        world->touched,
        world->start_readers_left,
        world->reads_left,
        world->writes_left,
        world->holder,
        world->holding_step,
        world->sharers,
        world->acquires_left,
        world->has_tests,
        world->readers_left,
        world->blocks_notify,
        world->shares,
        world->accept_list,
        world->accept_left,
        world->accepting,
        world->start_accepting,
        world->transaction,
        world->last_transaction,
        world->write_transaction,
        world->read_by,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(world->rest);
    ser_world_values_fini(world);
    ser_relation_fini(&world->relation);
    ser_vector_free(&world->readers);
    ser_vector_free(&world->chains);
    ser_vector_free(&world->order);
    ser_vector_free(&world->changes);
    ser_vector_free(&world->marks);
}
