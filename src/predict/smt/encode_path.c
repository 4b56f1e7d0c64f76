/* SPDX-License-Identifier: MIT */
/*
 * The path criterion: a path leaves the block, goes over accesses outside, and comes
 * back (ser_encode_path; the paper's equations 2 to 5, 16 and 17).
 *
 * An access outside is "reached" if a conflict leads to it from the block or from an
 * access that is reached, and so is all that follows it in its thread. One implication
 * is enough, from "reached" to its reasons: along a path time goes on, so reasons
 * cannot lean on each other in a circle. An access of the block counts as reached if a
 * conflict leads to it from outside; one of them has to be.
 *
 * What follows a block in its thread never gets back to it, and what precedes it is
 * never reached: the path keeps to other threads. Only accesses to which a path from
 * the block could lead, and from which one could lead back, take part, and only those
 * to which a conflict can lead have a boolean: they are doors. Others are reached if
 * the last door before them is. Of several accesses behind one door the first that
 * conflicts with a target will do as the source of the link, and so will the first of
 * the block: if a later one comes before the target, so does the first. That an access
 * of the block happens need not be asked: where the path returns the block has gone on.
 */
#include "predict/smt/encoding.h"

typedef struct path_encoder {
    ser_encoding *encoding;
    bool *ahead, *behind; /* by step: may be on the way out; on the way back */
    SER_VECTOR(uint32_t) work;
    uint32_t *door;       /* by step that takes part: itself or the last door before it;
                             SER_TASK_NONE: it takes no part */
    ser_literal *reached; /* by door, and by access of the block */
    SER_VECTOR(ser_literal) clause;
} path_encoder;

typedef struct group {
    const uint32_t *steps;
    uint32_t count;
} group;

static group rivals_of(const ser_encoding *encoding, uint32_t step)
{
    uint32_t variable = ser_encoding_step(encoding, step)->variable;
    uint32_t first = encoding->first_of[variable];
    return (group){encoding->by_variable + first, encoding->first_of[variable + 1] - first};
}

static bool is_outside(const ser_encoding *encoding, uint32_t step)
{
    return ser_encoding_step(encoding, step)->thread != encoding->task->block_thread;
}

static bool is_inside(const ser_encoding *encoding, uint32_t step)
{
    return ser_encoding_step(encoding, step)->in_block;
}

/* Can a conflict lead from one access to the other, in some run? */
static bool may_link(const ser_encoding *encoding, uint32_t from, uint32_t to)
{
    return ser_encoding_may_conflict(encoding, from, to) &&
           ser_encoding_step(encoding, from)->thread != ser_encoding_step(encoding, to)->thread &&
           !ser_must_precede(&encoding->must, to, from);
}

static void mark(path_encoder *path, bool *marks, uint32_t step)
{
    if (marks[step])
        return;
    marks[step] = true;
    ser_vector_push(&path->work, step);
}

/* Marks the accesses outside that are linked with this one, in the direction asked for. */
static void mark_linked(path_encoder *path, bool *marks, uint32_t step)
{
    bool forward = marks == path->ahead;
    group rivals = rivals_of(path->encoding, step);
    for (uint32_t i = 0; i < rivals.count && !ser_encoding_must_stop(path->encoding); i++) {
        uint32_t other = rivals.steps[i];
        if (is_outside(path->encoding, other) && !marks[other] &&
            may_link(path->encoding, forward ? step : other, forward ? other : step))
            mark(path, marks, other);
    }
}

/* The nearest access of the thread after the step (or before it), or SER_TASK_NONE. */
static uint32_t nearest_access(const ser_encoding *encoding, uint32_t step, bool after)
{
    uint32_t thread = ser_encoding_step(encoding, step)->thread;
    uint32_t first = encoding->task->threads.items[thread].first;
    uint32_t end = first + encoding->must.possible[thread];
    for (uint32_t i = after ? step + 1 : step - 1; i >= first && i < end; after ? i++ : i--)
        if (ser_encoding_step(encoding, i)->access)
            return i;
    return SER_TASK_NONE;
}

static void mark_all(path_encoder *path, bool *marks)
{
    ser_encoding *encoding = path->encoding;
    const ser_task *task = encoding->task;
    for (uint32_t i = task->first_block_step; i <= task->last_block_step; i++)
        if (is_inside(encoding, i) && ser_encoding_step(encoding, i)->access &&
            ser_encoding_can_happen(encoding, i))
            mark_linked(path, marks, i);
    while (path->work.count && !ser_encoding_must_stop(encoding)) {
        uint32_t step = path->work.items[--path->work.count];
        uint32_t nearest = nearest_access(encoding, step, marks == path->ahead);
        if (nearest != SER_TASK_NONE)
            mark(path, marks, nearest);
        mark_linked(path, marks, step);
    }
}

/* Adds to the clause: the block has a way out to the access. */
static void add_ways_out(path_encoder *path, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    group rivals = rivals_of(encoding, to);
    for (uint32_t i = 0; i < rivals.count; i++) {
        uint32_t from = rivals.steps[i];
        if (!is_inside(encoding, from) || !ser_encoding_may_conflict(encoding, from, to))
            continue;
        /* As the way out, a read-modify-write is not broken: the block goes on. Only
         * the target may be one that is, and then the block must write. */
        bool certain = ser_encoding_step(encoding, from)->access != SER_ACCESS_READ ||
                       ser_encoding_step(encoding, to)->access == SER_ACCESS_WRITE;
        ser_literal parts[] = {ser_encoding_before(encoding, from, to),
                               certain ? SER_TRUE : ser_encoding_writes(encoding, to)};
        ser_vector_push(&path->clause, ser_formula_all(&encoding->formula, parts, 2));
        if (certain)
            return;
    }
}

/* A link from an access that takes part. True if it makes others from behind the same
 * door superfluous. */
static bool add_link(path_encoder *path, uint32_t from, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    uint32_t door = path->door[from];
    ser_literal before = ser_encoding_before(encoding, from, to);
    ser_literal conflict = ser_encoding_conflict(encoding, from, to);
    /* The door is known to happen, and so is the target, with all that precedes it. */
    bool is_known = before == SER_TRUE || encoding->happens[from] == encoding->happens[door];
    ser_literal parts[] = {path->reached[door], is_known ? SER_TRUE : encoding->happens[from],
                           before, conflict};
    ser_vector_push(&path->clause, ser_formula_all(&encoding->formula, parts, 4));
    return conflict == SER_TRUE;
}

/* Is there always a link from the access, if it is reached? */
static bool is_certain(const ser_encoding *encoding, uint32_t from, uint32_t to)
{
    return ser_must_precede(&encoding->must, from, to) &&
           (ser_encoding_step(encoding, from)->access == SER_ACCESS_WRITE ||
            ser_encoding_step(encoding, to)->access == SER_ACCESS_WRITE);
}

/* Adds to the clause: a reached access of the thread that rivals[first .. end) are of
 * conflicts with the target and comes before it. */
static void add_links_of_thread(path_encoder *path, const group *rivals, uint32_t first,
                                uint32_t end, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    uint32_t dominated = SER_TASK_NONE;
    /* Links from before one that is certain are superfluous. */
    for (uint32_t i = end; i-- > first;)
        if (path->door[rivals->steps[i]] != SER_TASK_NONE &&
            is_certain(encoding, rivals->steps[i], to)) {
            first = i;
            break;
        }
    for (uint32_t i = first; i < end && !ser_encoding_must_stop(encoding); i++) {
        uint32_t from = rivals->steps[i], door = path->door[from];
        if (door != SER_TASK_NONE && door != dominated && may_link(encoding, from, to) &&
            add_link(path, from, to))
            dominated = door;
    }
}

static void add_links(path_encoder *path, uint32_t to)
{
    const ser_encoding *encoding = path->encoding;
    group rivals = rivals_of(encoding, to);
    for (uint32_t first = 0, end; first < rivals.count; first = end) {
        uint32_t thread = ser_encoding_step(encoding, rivals.steps[first])->thread;
        for (end = first; end < rivals.count; end++)
            if (ser_encoding_step(encoding, rivals.steps[end])->thread != thread)
                break;
        add_links_of_thread(path, &rivals, first, end, to);
    }
}

/* Can a conflict lead to the access, from the block or from one that takes part? */
static bool is_door(path_encoder *path, uint32_t step)
{
    ser_encoding *encoding = path->encoding;
    group rivals = rivals_of(encoding, step);
    for (uint32_t i = 0; i < rivals.count && !ser_encoding_must_stop(encoding); i++) {
        uint32_t from = rivals.steps[i];
        if ((is_inside(encoding, from) || (path->ahead[from] && path->behind[from])) &&
            may_link(encoding, from, step))
            return true;
    }
    return false;
}

static void find_doors(path_encoder *path)
{
    ser_encoding *encoding = path->encoding;
    uint32_t count = (uint32_t)encoding->task->steps.count, door = SER_TASK_NONE;
    for (uint32_t i = 0; i < count; i++) {
        path->door[i] = SER_TASK_NONE;
        if (!path->ahead[i] || !path->behind[i])
            continue;
        if (door != SER_TASK_NONE &&
            ser_encoding_step(encoding, door)->thread != ser_encoding_step(encoding, i)->thread)
            door = SER_TASK_NONE;
        if (is_door(path, i)) {
            door = i;
            path->reached[i] =
                ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED, encoding->point[i]);
        }
        path->door[i] = door;
    }
}

/* If it is reached, it happens and has a reason. */
static void encode_reached(path_encoder *path, uint32_t step)
{
    ser_encoding *encoding = path->encoding;
    path->clause.count = 0;
    ser_vector_push(&path->clause, ser_not(path->reached[step]));
    if (!is_inside(encoding, step)) {
        uint32_t previous = nearest_access(encoding, step, false);
        if (previous != SER_TASK_NONE && path->door[previous] != SER_TASK_NONE)
            ser_vector_push(&path->clause, path->reached[path->door[previous]]);
        add_ways_out(path, step);
    }
    add_links(path, step);
    ser_formula_add(&encoding->formula, path->clause.items, path->clause.count);
    ser_formula_clause(&encoding->formula, ser_not(path->reached[step]), encoding->happens[step]);
}

/* The block is violated: one of its accesses is reached. */
static void encode_violation(path_encoder *path)
{
    ser_encoding *encoding = path->encoding;
    const ser_task *task = encoding->task;
    SER_VECTOR(ser_literal) violation = {0};
    for (uint32_t i = 0; i < task->steps.count && !ser_encoding_must_stop(encoding); i++)
        if (path->door[i] == i)
            encode_reached(path, i);
    for (uint32_t i = task->first_block_step; i <= task->last_block_step; i++) {
        if (!ser_encoding_step(encoding, i)->access || !ser_encoding_can_happen(encoding, i))
            continue;
        path->reached[i] =
            ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED, encoding->point[i]);
        encode_reached(path, i);
        ser_vector_push(&violation, path->reached[i]);
    }
    ser_formula_add(&encoding->formula, violation.items, violation.count);
    ser_vector_free(&violation);
}

void ser_encode_path(ser_encoding *encoding)
{
    size_t count = encoding->task->steps.count;
    path_encoder path = {
        .encoding = encoding,
        .ahead = ser_alloc(count + 1, sizeof *path.ahead),
        .behind = ser_alloc(count + 1, sizeof *path.behind),
        .door = ser_alloc(count + 1, sizeof *path.door),
        .reached = ser_alloc(count + 1, sizeof *path.reached),
    };
    mark_all(&path, path.ahead);
    mark_all(&path, path.behind);
    find_doors(&path);
    encode_violation(&path);
    free(path.ahead);
    free(path.behind);
    free(path.door);
    free(path.reached);
    ser_vector_free(&path.work);
    ser_vector_free(&path.clause);
}
