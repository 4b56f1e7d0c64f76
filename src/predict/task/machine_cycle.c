/* SPDX-License-Identifier: MIT */
/*
 * Is the block on a cycle of transactions? A transaction is *reached* if a path leads
 * to it from the block, and then all its accesses count, earlier ones included. So
 * sweep goes over the run in the order executed and carries on, as ser_machine_step
 * does, what each variable and thread has seen of reached transactions; a transaction
 * that it reaches late has it sweep again. The block lies on a cycle once an access of
 * it is reached by another transaction.
 */
#include "predict/task/machine_internal.h"

#include "base/memory.h"

struct ser_cycle_scratch {
    uint32_t *transaction; /* by step: numbers from 0 without gaps */
    bool *reached;         /* by transaction */
    uint8_t *marks;        /* by variable: as in machine.h */
    uint8_t *threads;      /* by thread: bits of accesses that happened there */
};

/* A thread's earlier accesses. */
enum { IN_BLOCK = 1, IN_REACHED = 2 };

typedef struct ser_cycle_scratch scratch;

/* Steps of one transaction stand side by side. */
static uint32_t number_transactions(const ser_task *task, uint32_t *transaction)
{
    uint32_t count = 0;
    for (size_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        if (i == 0 || step->thread != step[-1].thread || step->transaction != step[-1].transaction)
            count++;
        transaction[i] = count - 1;
    }
    return count;
}

static scratch *create_scratch(const ser_task *task)
{
    scratch *cycle = ser_alloc(1, sizeof *cycle);
    cycle->transaction = ser_alloc(task->steps.count, sizeof *cycle->transaction);
    uint32_t count = number_transactions(task, cycle->transaction);
    cycle->reached = ser_alloc(count, sizeof *cycle->reached);
    cycle->marks = ser_alloc(task->variables, sizeof *cycle->marks);
    cycle->threads = ser_alloc(task->threads.count, sizeof *cycle->threads);
    return cycle;
}

void ser_machine_cycle_destroy(scratch *cycle)
{
    if (!cycle)
        return;
    free(cycle->transaction);
    free(cycle->reached);
    free(cycle->marks);
    free(cycle->threads);
    free(cycle);
}

/* What earlier accesses lead to this one by an edge: the block, reached ones. */
static unsigned seen_by(const scratch *cycle, const ser_task_step *step, bool writes)
{
    uint8_t marks = cycle->marks[step->variable];
    unsigned seen = cycle->threads[step->thread];
    if (marks & SER_MARK_BLOCK_WRITE || (writes && marks & SER_MARK_BLOCK_READ))
        seen |= IN_BLOCK;
    if (marks & SER_MARK_REACHED_WRITE || (writes && marks & SER_MARK_REACHED_READ))
        seen |= IN_REACHED;
    return seen;
}

static void mark_access(scratch *cycle, const ser_task_step *step, bool writes)
{
    bool reads = step->access != SER_ACCESS_WRITE;
    unsigned marks = (reads ? SER_MARK_BLOCK_READ : 0u) | (writes ? SER_MARK_BLOCK_WRITE : 0u);
    cycle->marks[step->variable] |= (uint8_t)(step->in_block ? marks : marks << 2);
    cycle->threads[step->thread] |= step->in_block ? IN_BLOCK : IN_REACHED;
}

/* Of its transaction. */
static bool has_earlier_steps(const scratch *cycle, uint32_t step)
{
    return step > 0 && cycle->transaction[step - 1] == cycle->transaction[step];
}

typedef enum sweep_result { NOTHING_NEW, REACHED_MORE, CLOSED } sweep_result;

static sweep_result sweep(const ser_machine *machine, scratch *cycle)
{
    sweep_result result = NOTHING_NEW;
    memset(cycle->marks, 0, machine->task->variables);
    memset(cycle->threads, 0, machine->task->threads.count);
    for (uint32_t i = 0; i < machine->depth; i++) {
        uint32_t number = machine->log[i].step;
        const ser_task_step *step = &machine->task->steps.items[number];
        if (step->access == SER_ACCESS_NONE)
            continue;
        bool *reached = &cycle->reached[cycle->transaction[number]];
        bool writes = machine->log[i].wrote;
        unsigned seen = seen_by(cycle, step, writes);
        if (step->in_block && seen & IN_REACHED)
            return CLOSED;
        if (!step->in_block && !*reached && seen) {
            *reached = true;
            if (has_earlier_steps(cycle, number))
                result = REACHED_MORE;
        }
        if (step->in_block || *reached)
            mark_access(cycle, step, writes);
    }
    return result;
}

bool ser_machine_on_cycle(ser_machine *machine)
{
    if (!machine->cycle)
        machine->cycle = create_scratch(machine->task);
    scratch *cycle = machine->cycle;
    for (uint32_t i = 0; i < machine->depth; i++)
        cycle->reached[cycle->transaction[machine->log[i].step]] = false;
    sweep_result result;
    do {
        result = sweep(machine, cycle);
    } while (result == REACHED_MORE);
    return result == CLOSED;
}
