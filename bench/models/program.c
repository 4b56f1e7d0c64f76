/* SPDX-License-Identifier: MIT */
/*
 * Scripts are vectors of steps. What a step adds to the figures is counted when it is
 * appended, so that a model can ask at any time what is left to be done.
 */
#include "program.h"

#include <stdio.h>

#include "base/status.h"

program *program_create(const figures *wanted, uint64_t seed)
{
    program *p = ser_alloc(1, sizeof *p);
    p->wanted = wanted;
    p->random.state = seed;
    p->burst = 8;
    add_object(p, SER_SPACE_THREAD, "main");
    return p;
}

void program_destroy(program *p)
{
    for (size_t t = 0; t < p->threads.count; t++) {
        ser_vector_free(&p->threads.items[t].steps);
        ser_vector_free(&p->threads.items[t].functions);
    }
    ser_vector_free(&p->threads);
    for (int space = 0; space < SER_SPACE_COUNT; space++) {
        for (size_t i = 0; i < p->names[space].count; i++)
            free(p->names[space].items[i]);
        ser_vector_free(&p->names[space]);
    }
    free(p);
}

uint32_t share(uint32_t total, uint32_t parts, uint32_t i)
{
    return (uint32_t)((uint64_t)total * (i + 1) / parts - (uint64_t)total * i / parts);
}

range part_of(range all, uint32_t parts, uint32_t i)
{
    uint32_t before = (uint32_t)((uint64_t)all.count * i / parts);
    return (range){all.first + before, share(all.count, parts, i)};
}

/* --- objects --------------------------------------------------------------- */

range add_objects(program *p, ser_space space, uint32_t count, const char *name)
{
    range added = {(uint32_t)p->names[space].count, count};
    for (uint32_t i = 0; i < count; i++) {
        char text[64];
        int length = snprintf(text, sizeof text, name, i);
        ser_vector_push(&p->names[space], ser_copy_text(text, (size_t)length));
    }
    if (space == SER_SPACE_THREAD) {
        ser_vector_extend(&p->threads, added.first + count);
        p->made.threads += count;
    }
    if (space == SER_SPACE_VARIABLE)
        p->made.variables += count;
    if (space == SER_SPACE_LOCK)
        p->made.locks += count;
    return added;
}

uint32_t add_object(program *p, ser_space space, const char *name)
{
    return add_objects(p, space, 1, name).first;
}

/* --- steps ----------------------------------------------------------------- */

void act_as(program *p, uint32_t thread)
{
    ser_check(thread < p->threads.count);
    p->current = thread;
}

static void append(program *p, step next)
{
    thread_script *thread = &p->threads.items[p->current];
    if (thread->functions.count)
        next.place = thread->functions.items[thread->functions.count - 1];
    ser_vector_push(&thread->steps, next);
}

static void append_event(program *p, ser_op op, uint32_t object)
{
    append(p, (step){.kind = STEP_EVENT, .op = op, .object = object});
    p->made.events++;
    p->made.lock_events += op == SER_OP_ACQUIRE || op == SER_OP_RELEASE;
    p->made.accesses += ser_op_is_access(op);
    p->made.waits_notifies += op == SER_OP_WAIT || op == SER_OP_NOTIFY || op == SER_OP_NOTIFY_ALL;
    p->made.blocks += op == SER_OP_BEGIN;
}

/* The number of a function or label, whose name outlives the program. */
static uint32_t number_of(program *p, ser_space space, const char *name)
{
    name_list *known = &p->names[space];
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->items[i], name) == 0)
            return (uint32_t)i;
    return add_object(p, space, name);
}

void do_enter(program *p, const char *function)
{
    append_event(p, SER_OP_CALL, number_of(p, SER_SPACE_FUNCTION, function));
    ser_vector_push(&p->threads.items[p->current].functions, function);
}

void do_leave(program *p)
{
    thread_script *thread = &p->threads.items[p->current];
    ser_check(thread->functions.count > 0);
    const char *function = thread->functions.items[--thread->functions.count];
    append_event(p, SER_OP_RETURN, number_of(p, SER_SPACE_FUNCTION, function));
}

void do_fork(program *p, uint32_t thread)
{
    append_event(p, SER_OP_FORK, thread);
}

void do_fork_all(program *p)
{
    for (uint32_t t = 1; t < p->threads.count; t++)
        do_fork(p, t);
}

void do_join_all(program *p)
{
    for (uint32_t t = 1; t < p->threads.count; t++)
        append_event(p, SER_OP_JOIN, t);
}

void do_read(program *p, uint32_t variable)
{
    append_event(p, SER_OP_READ, variable);
}

void do_write(program *p, uint32_t variable)
{
    append_event(p, SER_OP_WRITE, variable);
}

void do_update(program *p, uint32_t variable)
{
    do_read(p, variable);
    do_write(p, variable);
}

void do_touch(program *p, range variables)
{
    do_read(p, variables.first + random_below(&p->random, variables.count));
    do_update(p, variables.first + random_below(&p->random, variables.count));
}

void do_write_all(program *p, range variables)
{
    for (uint32_t i = 0; i < variables.count; i++)
        do_write(p, variables.first + i);
}

void do_read_all(program *p, range variables)
{
    for (uint32_t i = 0; i < variables.count; i++)
        do_read(p, variables.first + i);
}

void do_acquire(program *p, uint32_t lock)
{
    append_event(p, SER_OP_ACQUIRE, lock);
}

void do_release(program *p, uint32_t lock)
{
    append_event(p, SER_OP_RELEASE, lock);
}

void do_open(program *p, uint32_t lock)
{
    append_event(p, SER_OP_BEGIN, SER_NO_OBJECT);
    do_acquire(p, lock);
}

void do_close(program *p, uint32_t lock)
{
    do_release(p, lock);
    append_event(p, SER_OP_END, SER_NO_OBJECT);
}

void do_wait(program *p, uint32_t lock, uint32_t condition)
{
    do_release(p, lock);
    append_event(p, SER_OP_WAIT, condition);
    do_acquire(p, lock);
}

void do_notify(program *p, uint32_t condition)
{
    append_event(p, SER_OP_NOTIFY, condition);
}

void do_notify_all(program *p, uint32_t condition)
{
    append_event(p, SER_OP_NOTIFY_ALL, condition);
}

void do_reach(program *p, uint32_t milestone)
{
    append(p, (step){.kind = STEP_REACH, .object = milestone});
}

void do_await(program *p, uint32_t milestone, uint32_t times)
{
    append(p, (step){.kind = STEP_AWAIT, .object = milestone, .amount = times});
}

/* --- slots ----------------------------------------------------------------- */

void slot_sections(program *p, uint32_t lock, range variables, uint32_t weight)
{
    append(p,
           (step){.kind = STEP_SECTIONS, .object = lock, .variables = variables, .amount = weight});
}

void slot_accesses(program *p, range variables, uint32_t writes, uint32_t weight)
{
    append(
        p,
        (step){.kind = STEP_ACCESSES, .variables = variables, .writes = writes, .amount = weight});
}

void slot_calls(program *p, uint32_t weight)
{
    append(p, (step){.kind = STEP_CALLS, .amount = weight});
}
