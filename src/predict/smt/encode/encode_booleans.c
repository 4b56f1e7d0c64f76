/* SPDX-License-Identifier: MIT */
/*
 * Which booleans there are (ser_encode_booleans). Fewer than steps: a step that nothing can prevent
 * happens as soon as the step before it does. For suppose it did not happen in some run: then it
 * can be put at the very end, where it affects nothing. So a boolean is needed only where a thread
 * may stop: at needs, clear lists and contested locks, and behind reads that can be
 * broken.
 */
#include "predict/smt/encode/encoding.h"

/* May another write of the lane lie between the source and the read? */
static bool may_intervene(const ser_encoding *encoding, uint32_t read, const ser_lane *lane)
{
    uint32_t source = ser_encoding_step(encoding, read)->source;
    ser_range writes = ser_range_not_after(lane->writes, &encoding->must, read);
    if (source != SER_TASK_START)
        writes = ser_range_not_before(writes, &encoding->must, source);
    for (uint32_t i = 0; i < writes.count; i++)
        if (writes.steps[i] != read && writes.steps[i] != source)
            return true;
    return false;
}

/* Are all moves of the thread up to the step reliable? Then what it writes is clean. `steady`: by
 * thread, the first step that may not be. */
static bool is_clean(const ser_encoding *encoding, const uint32_t *steady, uint32_t step)
{
    return step < steady[ser_encoding_step(encoding, step)->thread];
}

static bool always_finds_source(const ser_encoding *encoding, const uint32_t *steady, uint32_t read)
{
    uint32_t source = ser_encoding_step(encoding, read)->source;
    if (source == SER_TASK_START)
        return true;
    if (source == SER_TASK_NEVER || !ser_encoding_can_happen(encoding, source))
        return false;
    bool writes = ser_encoding_always_writes(encoding, source) || encoding->reliable[source];
    if (encoding->task->may_change && !is_clean(encoding, steady, source))
        return false;
    return writes && ser_must_precede(&encoding->must, source, read);
}

static bool is_reliable(const ser_encoding *encoding, const uint32_t *steady, uint32_t number)
{
    const ser_task_step *step = ser_encoding_step(encoding, number);
    if (!ser_encoding_has_source(encoding, number) || ser_encoding_from_move(encoding, number))
        return true;
    if (step->action == SER_LOCK_TEST || !always_finds_source(encoding, steady, number))
        return false;
    const ser_lanes *lanes = &encoding->lanes;
    for (uint32_t i = lanes->first_of[step->variable]; i < lanes->first_of[step->variable + 1]; i++)
        if (may_intervene(encoding, number, &lanes->all.items[i]))
            return false;
    return true;
}

static void find_reliable(ser_encoding *encoding)
{
    uint32_t count = (uint32_t)encoding->task->steps.count;
    encoding->reliable = ser_alloc((size_t)count + 1, sizeof *encoding->reliable);
    uint32_t *steady = ser_alloc(encoding->task->threads.count + 1, sizeof *steady);
    for (size_t t = 0; t < encoding->task->threads.count; t++)
        steady[t] = encoding->task->threads.items[t].first;
    for (uint32_t first = 0, end; first < count; first = end) {
        bool reliable = ser_encoding_can_happen(encoding, first);
        end = ser_task_move_end(encoding->task, first);
        for (uint32_t i = first; i < end; i++)
            reliable = reliable && is_reliable(encoding, steady, i);
        for (uint32_t i = first; i < end; i++)
            encoding->reliable[i] = reliable;
        uint32_t thread = ser_encoding_step(encoding, first)->thread;
        if (reliable && steady[thread] == first)
            steady[thread] = end;
    }
    free(steady);
}

/* By lock: does more than one thread use it? */
static bool *find_contested_locks(const ser_encoding *encoding)
{
    const ser_task *task = encoding->task;
    bool *contested = ser_alloc(task->locks.count + 1, sizeof *contested);
    uint32_t *user = ser_alloc(task->locks.count + 1, sizeof *user);
    for (size_t l = 0; l < task->locks.count; l++) {
        const ser_task_lock *lock = &task->locks.items[l];
        user[l] = lock->sharers.count ? lock->sharers.items[0] : lock->holder;
        contested[l] = lock->sharers.count > 1;
    }
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        if (step->action == SER_LOCK_NONE || step->action == SER_LOCK_TEST)
            continue;
        contested[step->lock] |=
            user[step->lock] != SER_TASK_NONE && user[step->lock] != step->thread;
        user[step->lock] = step->thread;
    }
    free(user);
    return contested;
}

static bool are_reliable(const ser_encoding *encoding, ser_limited limited)
{
    for (uint32_t i = 0; i < limited.count; i++)
        if (!encoding->reliable[limited.moves[i]])
            return false;
    return true;
}

/* Can a broken read keep the step from happening? */
static bool asks_for_reads(const ser_encoding *encoding, uint32_t number)
{
    const ser_task_step *step = ser_encoding_step(encoding, number);
    bool is_first = number == encoding->task->threads.items[step->thread].first;
    if (!encoding->task->may_change)
        return !is_first && !encoding->reliable[number - 1];
    return step->unspoiled || step->ends != SER_TASK_NONE ||
           !are_reliable(encoding, ser_limits_at(&encoding->must.limits, number));
}

/* Can the step before it be an access of a freed variable? */
static bool may_follow_free(const ser_encoding *encoding, uint32_t number)
{
    const ser_task *task = encoding->task;
    bool is_first = number == task->threads.items[task->steps.items[number].thread].first;
    if (!task->freed_by.count || is_first ||
        task->steps.items[number - 1].access == SER_ACCESS_NONE)
        return false;
    for (uint32_t i = ser_task_move_first(task, number - 1); i < number; i++)
        if (ser_task_frees_of(task, i).count)
            return true;
    return false;
}

/* Can the thread stop just before the step? */
static bool may_be_held_up(const ser_encoding *encoding, uint32_t number, const bool *contested)
{
    const ser_task_step *step = ser_encoding_step(encoding, number);
    bool acquires = step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED;
    bool is_first = number == encoding->task->threads.items[step->thread].first;
    if (!is_first && encoding->task->steps.items[number - 1].joined)
        return false;
    return step->needs.count || step->clear.count || (acquires && contested[step->lock]) ||
           asks_for_reads(encoding, number) || may_follow_free(encoding, number);
}

static void make_happens(ser_encoding *encoding)
{
    bool *contested = find_contested_locks(encoding);
    for (size_t t = 0; t < encoding->task->threads.count; t++) {
        const ser_task_thread *thread = &encoding->task->threads.items[t];
        ser_literal happens = SER_TRUE;
        for (uint32_t i = thread->first; i < thread->first + thread->count; i++) {
            if (!ser_encoding_can_happen(encoding, i))
                happens = SER_FALSE;
            else if (may_be_held_up(encoding, i, contested))
                happens =
                    ser_formula_boolean(&encoding->formula, SER_ATOM_HAPPENS, encoding->point[i]);
            encoding->happens[i] = happens;
        }
    }
    free(contested);
}

/* Does a read of the move have a source that never happens? */
static bool has_no_source(const ser_encoding *encoding, uint32_t first)
{
    for (uint32_t i = first; i < ser_task_move_end(encoding->task, first); i++)
        if (ser_encoding_step(encoding, i)->source == SER_TASK_NEVER)
            return true;
    return false;
}

/*
 * A read that is not broken only ever allows more: the thread's next step, and steps
 * that need it. So one implication is enough, and if the next step alone depends on
 * it, that step's happening is the boolean. A read-modify-write that is not broken
 * also gets in the way, as a write, and has a boolean of its own. All reads of a move
 * have the same one.
 */
static ser_literal make_unbroken(ser_encoding *encoding, uint32_t number, bool needed)
{
    ser_formula *formula = &encoding->formula;
    const ser_task_step *step = ser_encoding_step(encoding, number);
    uint32_t next = ser_encoding_next(encoding, number);
    if (!ser_encoding_has_source(encoding, number) || has_no_source(encoding, number))
        return SER_FALSE;
    if (encoding->reliable[number])
        return encoding->happens[number];
    bool is_rmw = step->access == SER_ACCESS_RMW;
    if (!is_rmw && !needed)
        return next == SER_TASK_NONE ? SER_FALSE : encoding->happens[next];
    ser_literal unbroken = ser_formula_boolean(
        formula, is_rmw ? SER_ATOM_WRITES : SER_ATOM_UNBROKEN, encoding->point[number]);
    ser_formula_clause(formula, ser_not(unbroken), encoding->happens[number]);
    if (next != SER_TASK_NONE)
        ser_formula_clause(formula, ser_not(encoding->happens[next]), unbroken);
    return unbroken;
}

static bool *find_needed_steps(const ser_encoding *encoding)
{
    const ser_task *task = encoding->task;
    bool *needed = ser_alloc(task->steps.count + 1, sizeof *needed);
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_step_list *needs = &task->steps.items[i].needs;
        for (uint32_t k = 0; ser_encoding_can_happen(encoding, i) && k < needs->count; k++)
            needed[task->lists.items[needs->first + k]] = true;
    }
    return needed;
}

void ser_encode_booleans(ser_encoding *encoding)
{
    uint32_t count = (uint32_t)encoding->task->steps.count;
    encoding->happens = ser_alloc((size_t)count + 1, sizeof *encoding->happens);
    encoding->unbroken = ser_alloc((size_t)count + 1, sizeof *encoding->unbroken);
    find_reliable(encoding);
    make_happens(encoding);
    if (encoding->task->may_change)
        return; /* see encode_changes.c */
    bool *needed = find_needed_steps(encoding);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = ser_task_move_end(encoding->task, first);
        ser_literal unbroken = ser_encoding_can_happen(encoding, first)
                                   ? make_unbroken(encoding, first, needed[end - 1])
                                   : SER_FALSE;
        for (uint32_t i = first; i < end; i++)
            encoding->unbroken[i] = unbroken;
    }
    free(needed);
}
