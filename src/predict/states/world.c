/* SPDX-License-Identifier: MIT */
#include "predict/states/world_internal.h"
#include "predict/states/world_values.h"

/* Stands for every last write that no later read has as its source; so a dirty one does. */
#define ANY_WRITE SER_WORLD_DIRTY

/* --- what may happen ----------------------------------------------------------- */

uint32_t ser_world_next(const ser_world *world, uint32_t thread)
{
    const ser_task_thread *steps = &world->task->threads.items[thread];
    uint32_t next = steps->first + world->position[thread];
    if (next >= world->limit[thread] || world->position[thread] == steps->count)
        return SER_TASK_NONE;
    return next;
}

/* Has it happened, and not as a broken read? Only a thread's last step can be one. */
static bool has_succeeded(const ser_world *world, uint32_t step)
{
    uint32_t thread = ser_world_step_at(world, step)->thread;
    uint32_t next = world->task->threads.items[thread].first + world->position[thread];
    return step < next && !(world->stopped[thread] && step + 1 == next);
}

static bool is_pending(const ser_world *world, uint32_t wait)
{
    uint32_t thread = ser_world_step_at(world, wait)->thread;
    return wait + 1 == world->task->threads.items[thread].first + world->position[thread];
}

static uint32_t *share_of(const ser_world *world, uint32_t lock, uint32_t thread)
{
    return &world->shares[(size_t)lock * world->task->threads.count + thread];
}

bool ser_world_is_lock_free(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    uint32_t holder = world->holder[step->lock];
    if (holder != SER_TASK_NONE && holder != step->thread)
        return false;
    if (step->action == SER_LOCK_ACQUIRE_SHARED)
        return true;
    return world->sharers[step->lock] == (*share_of(world, step->lock, step->thread) != 0);
}

/* What a step needs only where reads may change; in avp the lists say it all. A thread's end is
 * the step behind its last. */
static bool is_below_limits(const ser_world *world, const ser_task_step *step)
{
    if (step->unspoiled && world->spoiled)
        return false;
    return step->ends == SER_TASK_NONE ||
           step->ends + 1 < world->limit[ser_world_step_at(world, step->ends)->thread];
}

bool ser_world_enabled(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    const uint32_t *lists = world->task->lists.items;
    if (world->task->may_change && !is_below_limits(world, step))
        return false;
    if (world->values && ser_world_is_at_barrier(world, number))
        return false;
    for (uint32_t i = 0; i < step->needs.count; i++)
        if (!has_succeeded(world, lists[step->needs.first + i]))
            return false;
    for (uint32_t i = 0; i < step->clear.count; i++)
        if (is_pending(world, lists[step->clear.first + i]))
            return false;
    if (step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED)
        return ser_world_is_lock_free(world, number);
    return true;
}

/* --- what a step does ------------------------------------------------------------ */

static bool is_accepted_later(const ser_world *world, uint32_t variable, uint32_t write)
{
    if (!world->accept_list)
        return false;
    uint32_t at =
        write == SER_TASK_START ? world->start_accepting[variable] : world->accepting[write];
    while (at && !world->accept_left[world->chains.items[at - 1].list])
        at = world->chains.items[at - 1].next;
    return at != 0;
}

static bool is_wanted(const ser_world *world, uint32_t variable, uint32_t write)
{
    if (write == SER_WORLD_DIRTY)
        return false;
    uint32_t readers =
        write == SER_TASK_START ? world->start_readers_left[variable] : world->readers_left[write];
    return readers || is_accepted_later(world, variable, write);
}

/* The last write as far as it matters: is there a read to come that wants it? */
static void show_write(ser_world *world, uint32_t variable)
{
    if (world->values && ser_world_show_value(world, variable))
        return;
    uint32_t write = world->last_write[variable];
    bool wanted = is_wanted(world, variable, write);
    ser_world_set_part(world, SER_PART_WRITE, world->shown_write, variable,
                       wanted ? write : ANY_WRITE);
}

/* Is the lock held by that acquire (a step, or SER_TASK_START: the exclusive one there)? */
static bool is_held_by(const ser_world *world, uint32_t lock, uint32_t acquire)
{
    if (acquire == SER_TASK_NEVER)
        return false;
    if (world->holding_step[lock] == acquire)
        return true;
    for (uint32_t i = 0; acquire != SER_TASK_START && i < world->task->threads.count; i++)
        if (*share_of(world, lock, i) == acquire + 1)
            return true;
    return false;
}

static bool is_broken(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    if (step->action == SER_LOCK_TEST)
        return !is_held_by(world, step->lock, step->source);
    if (step->access != SER_ACCESS_READ && step->access != SER_ACCESS_RMW)
        return false;
    if (world->values)
        return ser_world_breaks_by_value(world, number);
    uint32_t write = world->last_write[step->variable];
    return write != step->source && !ser_task_accepts(world->task, step, write);
}

/* One read less that wants its source, or accepts other writes. */
static void count_read(ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    uint32_t list = world->accept_list ? world->accept_list[number] : 0;
    if (list)
        ser_world_set(world, &world->accept_left[list - 1], world->accept_left[list - 1] - 1);
    uint32_t *left = step->source == SER_TASK_START ? &world->start_readers_left[step->variable]
                     : step->source < world->task->steps.count ? &world->readers_left[step->source]
                                                               : NULL;
    if (left)
        ser_world_set(world, left, *left - 1);
    show_write(world, step->variable);
}

static bool does_write(const ser_world *world, const ser_task_step *step)
{
    return step->access == SER_ACCESS_WRITE ||
           (step->access == SER_ACCESS_RMW && (!world->breaking || step->writes_anyway));
}

/* `is_known`: what the step writes although it is broken. */
static bool is_dirty(const ser_world *world, uint32_t thread, bool is_known)
{
    return world->task->may_change && ((world->breaking && !is_known) || world->changed[thread]);
}

/* Does the read have its source in its own move? */
static bool is_from_move(const ser_world *world, uint32_t read)
{
    uint32_t source = ser_world_step_at(world, read)->source;
    return source < read && source >= ser_task_move_first(world->task, read);
}

static void do_access(ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    bool reads = step->access != SER_ACCESS_WRITE, writes = does_write(world, step);
    uint32_t variable = step->variable;
    bool asks_values = world->values && world->criterion == SER_CRITERION_TRIPLE;
    uint32_t before = asks_values ? ser_world_number_held(world, variable) : 0;
    if (world->values)
        ser_world_pass_barrier(world, number);
    ser_world_follow(world, number, writes);
    ser_world_set(world, &world->reads_left[variable], world->reads_left[variable] - reads);
    ser_world_set(world, &world->writes_left[variable],
                  world->writes_left[variable] - (step->access != SER_ACCESS_READ));
    if (reads && world->values && !world->breaking && !is_from_move(world, number))
        ser_world_note_read(world, number);
    bool is_known = world->values ? world->breaking && ser_world_note_broken_update(world, number)
                                  : step->writes_known;
    if (writes)
        ser_world_set(world, &world->last_write[variable],
                      is_dirty(world, step->thread, is_known) ? SER_WORLD_DIRTY : number);
    if (writes && world->values)
        ser_world_note_write(world, number);
    if (asks_values)
        ser_world_follow_triple(world, number, writes, before);
    if (world->values)
        ser_world_forget_reads(world, number);
    if (reads)
        count_read(world, number);
    else
        show_write(world, variable);
    if (step->in_block)
        ser_world_set(world, &world->block_accesses_left, world->block_accesses_left - 1);
}

static void do_lock(ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    uint32_t lock = step->lock;
    uint32_t *share = share_of(world, lock, step->thread);
    switch ((ser_lock_action)step->action) {
    case SER_LOCK_ACQUIRE:
        ser_world_set(world, &world->holder[lock], step->thread);
        ser_world_set(world, &world->holding_step[lock], number);
        break;
    case SER_LOCK_RELEASE:
        ser_world_set(world, &world->holder[lock], SER_TASK_NONE);
        ser_world_set(world, &world->holding_step[lock], SER_TASK_NONE);
        return;
    case SER_LOCK_ACQUIRE_SHARED:
        ser_world_set(world, share, number + 1);
        ser_world_set(world, &world->sharers[lock], world->sharers[lock] + 1);
        break;
    case SER_LOCK_RELEASE_SHARED:
        ser_world_set(world, share, 0);
        ser_world_set(world, &world->sharers[lock], world->sharers[lock] - 1);
        return;
    default:
        return;
    }
    ser_world_set(world, &world->acquires_left[lock], world->acquires_left[lock] - 1);
}

/* What a read of the move has from the move itself it had from there in the trace, too. */
bool ser_world_breaks(const ser_world *world, uint32_t first)
{
    uint32_t end = ser_task_move_end(world->task, first);
    bool breaks = false;
    for (uint32_t i = first; i < end; i++) {
        breaks |= !is_from_move(world, i) && is_broken(world, i);
    }
    return breaks;
}

/* What is to be known of a move before its first step changes anything. */
static void begin_move(ser_world *world, uint32_t first)
{
    uint32_t end = ser_task_move_end(world->task, first);
    world->breaking = ser_world_breaks(world, first);
    world->stopping = ser_world_uses_freed(world, first);
    world->reaching = false;
    for (uint32_t i = first; i < end && ser_world_step_at(world, i)->access != SER_ACCESS_NONE;
         i++) {
        const ser_task_step *step = ser_world_step_at(world, i);
        world->reaching |= ser_world_reaches(world, step, does_write(world, step));
    }
}

/* All limits of a broken move count. In avp all that is left of it is that the thread stops. */
static void end_broken_move(ser_world *world, uint32_t last)
{
    uint32_t thread = ser_world_step_at(world, last)->thread, limit = world->limit[thread];
    for (uint32_t i = ser_task_move_first(world->task, last); i <= last; i++) {
        uint32_t own = world->values && ser_world_is_guard(world, i)
                           ? world->values->steps.items[i].stop
                           : ser_world_step_at(world, i)->limit;
        limit = own < limit ? own : limit;
    }
    if (limit <= last + 1)
        ser_world_set_part(world, SER_PART_STOPPED, world->stopped, thread, 1);
    if (!world->task->may_change) {
        ser_world_set(world, &world->limit[thread], limit);
        return;
    }
    ser_world_set_part(world, SER_PART_LIMIT, world->limit, thread, limit);
    ser_world_set_part(world, SER_PART_CHANGED, world->changed, thread, 1);
    if (world->task->has_unspoiled)
        ser_world_set_part(world, SER_PART_SPOILED, &world->spoiled, 0, 1);
}

/* In avp the limit follows from `stopped`. */
static void stop_thread(ser_world *world, uint32_t last)
{
    uint32_t thread = ser_world_step_at(world, last)->thread;
    ser_world_set_part(world, SER_PART_STOPPED, world->stopped, thread, 1);
    if (world->task->may_change)
        ser_world_set_part(world, SER_PART_LIMIT, world->limit, thread, last + 1);
    else
        ser_world_set(world, &world->limit[thread], last + 1);
}

void ser_world_take(ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    if (number == 0 || !ser_world_step_at(world, number - 1)->joined)
        begin_move(world, number);
    ser_world_mark mark = {world->changes.count, world->relation.added.count, world->readers.count,
                           world->print};
    ser_vector_push(&world->marks, mark);
    ser_vector_push(&world->order, number);
    if (step->access != SER_ACCESS_NONE)
        do_access(world, number);
    if (step->action != SER_LOCK_NONE)
        do_lock(world, number);
    ser_world_set_part(world, SER_PART_POSITION, world->position, step->thread,
                       world->position[step->thread] + 1);
    if (world->breaking && !step->joined)
        end_broken_move(world, number);
    if (world->stopping && !step->joined)
        stop_thread(world, number);
}

void ser_world_undo(ser_world *world)
{
    const ser_world_mark *mark = &world->marks.items[--world->marks.count];
    while (world->changes.count > mark->changes) {
        const ser_world_change *change = &world->changes.items[--world->changes.count];
        *change->place = change->old;
    }
    ser_relation_undo(&world->relation, mark->relation);
    world->readers.count = mark->readers;
    world->print = mark->print;
    world->order.count--;
}

bool ser_world_is_hopeless(const ser_world *world)
{
    if (world->criterion == SER_CRITERION_SERIALIZABILITY)
        return false;
    return world->lost || world->block_accesses_left == 0 ||
           ser_world_next(world, world->task->block_thread) == SER_TASK_NONE;
}
