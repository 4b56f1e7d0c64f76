/* SPDX-License-Identifier: MIT */
/*
 * The path criterion: a path leaves the block, goes over accesses outside, and comes
 * back (ser_encode_path; the paper's equations 2 to 5, 16 and 17).
 *
 * An access outside is "reached" if a link leads to it from the block or from an
 * access that is reached. One implication is enough, from "reached" to its reasons:
 * along links time goes on, so reasons cannot lean on each other in a circle.
 *
 * What follows a block in its thread never gets back to it, and what precedes it is
 * never reached: the path keeps to other threads. Only accesses to which a path from
 * the block could lead, and from which one could lead back, take part. Of the block,
 * the first access that conflicts will do as the way out: if a later one comes
 * before the access outside, so does the first. It need not be asked whether that
 * one happens either: where the path returns the block has gone on past it.
 */
#include "predict/smt/encoding.h"

typedef struct path_encoder {
    ser_encoding *encoding;
    bool *ahead, *behind; /* by step: may be on the way out; on the way back */
    SER_VECTOR(uint32_t) work;
    ser_literal *reached; /* by step; SER_FALSE if it takes no part */
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
        ser_vector_push(&path->clause,
                        ser_formula_both(&encoding->formula,
                                         ser_encoding_before(encoding, from, to),
                                         certain ? SER_TRUE : ser_encoding_writes(encoding, to)));
        if (certain)
            return;
    }
}

/* Adds to the clause: a reached access outside conflicts and comes before. */
static void add_links(path_encoder *path, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    group rivals = rivals_of(encoding, to);
    uint32_t settled = SER_TASK_NONE;
    for (uint32_t i = rivals.count; i-- > 0 && !ser_encoding_must_stop(encoding);) {
        uint32_t from = rivals.steps[i], thread = ser_encoding_step(encoding, from)->thread;
        if (thread == settled || path->reached[from] == SER_FALSE || !may_link(encoding, from, to))
            continue;
        ser_literal parts[] = {path->reached[from], ser_encoding_before(encoding, from, to),
                               ser_encoding_conflict(encoding, from, to)};
        ser_vector_push(&path->clause, ser_formula_all(&encoding->formula, parts, 3));
        /* A link that is always there makes those from earlier accesses of the same
         * thread superfluous. */
        if (parts[1] == SER_TRUE && parts[2] == SER_TRUE)
            settled = thread;
    }
}

static void encode_reached(path_encoder *path, uint32_t step)
{
    ser_encoding *encoding = path->encoding;
    uint32_t previous = nearest_access(encoding, step, false);
    path->clause.count = 0;
    ser_vector_push(&path->clause, ser_not(path->reached[step]));
    if (previous != SER_TASK_NONE)
        ser_vector_push(&path->clause, path->reached[previous]);
    add_ways_out(path, step);
    add_links(path, step);
    ser_formula_add(&encoding->formula, path->clause.items, path->clause.count);
    ser_formula_clause(&encoding->formula, ser_not(path->reached[step]), encoding->happens[step]);
}

/* Adds to the clause: the access is reached, and leads back into the block. */
static void add_ways_back(path_encoder *path, uint32_t from)
{
    ser_encoding *encoding = path->encoding;
    group rivals = rivals_of(encoding, from);
    for (uint32_t i = 0; i < rivals.count; i++) {
        uint32_t to = rivals.steps[i];
        if (!is_inside(encoding, to) || !may_link(encoding, from, to))
            continue;
        ser_literal parts[] = {path->reached[from], encoding->happens[to],
                               ser_encoding_before(encoding, from, to),
                               ser_encoding_conflict(encoding, from, to)};
        ser_vector_push(&path->clause, ser_formula_all(&encoding->formula, parts, 4));
    }
}

static void encode_violation(path_encoder *path)
{
    ser_encoding *encoding = path->encoding;
    uint32_t count = (uint32_t)encoding->task->steps.count;
    for (uint32_t i = 0; i < count; i++)
        path->reached[i] =
            path->ahead[i] && path->behind[i]
                ? ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED, encoding->point[i])
                : SER_FALSE;
    for (uint32_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++)
        if (path->reached[i] != SER_FALSE)
            encode_reached(path, i);
    path->clause.count = 0;
    for (uint32_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++)
        if (path->reached[i] != SER_FALSE)
            add_ways_back(path, i);
    ser_formula_add(&encoding->formula, path->clause.items, path->clause.count);
}

void ser_encode_path(ser_encoding *encoding)
{
    size_t count = encoding->task->steps.count;
    path_encoder path = {
        .encoding = encoding,
        .ahead = ser_alloc(count + 1, sizeof *path.ahead),
        .behind = ser_alloc(count + 1, sizeof *path.behind),
        .reached = ser_alloc(count + 1, sizeof *path.reached),
    };
    mark_all(&path, path.ahead);
    mark_all(&path, path.behind);
    encode_violation(&path);
    free(path.ahead);
    free(path.behind);
    free(path.reached);
    ser_vector_free(&path.work);
    ser_vector_free(&path.clause);
}
