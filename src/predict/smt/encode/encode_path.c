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
 *
 * The accesses of a move are reached together, so that its first step is its only door.
 */
#include "predict/smt/encode/encoding.h"
#include "predict/smt/encode/spans.h"

typedef struct path_encoder {
    ser_encoding *encoding;
    ser_spans spans;
    uint32_t *door;       /* by step: itself or the last door before it in its thread;
                             SER_TASK_NONE: it takes no part */
    uint32_t *next_door;  /* by door: the next one of the thread, or the end of the span */
    ser_literal *reached; /* by door, and by move of the block */
    SER_VECTOR(ser_literal) clause;
} path_encoder;

/* The lanes of the step's variable. */
static const ser_lane *lanes_of(const ser_encoding *encoding, uint32_t step, uint32_t *count)
{
    uint32_t variable = ser_encoding_step(encoding, step)->variable;
    *count = encoding->lanes.first_of[variable + 1] - encoding->lanes.first_of[variable];
    return &encoding->lanes.all.items[encoding->lanes.first_of[variable]];
}

/* Accesses of a lane outside the block from which a link may lead to the step. */
static ser_range sources_in(const path_encoder *path, const ser_lane *lane, uint32_t to)
{
    const ser_encoding *encoding = path->encoding;
    const ser_task_step *step = ser_encoding_step(encoding, to);
    ser_range none = {NULL, 0};
    if (lane->thread == step->thread || lane->thread == encoding->task->block_thread)
        return none;
    ser_range rivals = ser_lane_rivals(lane, step->access);
    rivals = ser_range_from(rivals, path->spans.from[lane->thread]);
    rivals = ser_range_until(rivals, path->spans.to[lane->thread]);
    return ser_range_not_after(rivals, &encoding->must, to);
}

/* Accesses of the block that may conflict with the step. */
static ser_range block_in(const ser_encoding *encoding, const ser_lane *lane, uint32_t step)
{
    const ser_task *task = encoding->task;
    ser_range none = {NULL, 0};
    if (lane->thread != task->block_thread)
        return none;
    ser_range rivals = ser_lane_rivals(lane, ser_encoding_step(encoding, step)->access);
    rivals = ser_range_from(rivals, task->first_block_step);
    return ser_range_until(rivals, task->last_block_step + 1);
}

/* Adds to the clause: the block has a way out to the access. */
static void add_ways_out(path_encoder *path, const ser_lane *lane, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    ser_range block = block_in(encoding, lane, to);
    for (uint32_t i = 0; i < block.count; i++) {
        uint32_t from = block.steps[i];
        /* As the way out, a read-modify-write is not broken: the block goes on. Only
         * the target may be one that is, and then the block must write. */
        bool certain = ser_encoding_step(encoding, from)->access != SER_ACCESS_READ ||
                       ser_encoding_always_writes(encoding, to);
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

static bool conflicts_always(const ser_encoding *encoding, uint32_t a, uint32_t b)
{
    return ser_encoding_always_writes(encoding, a) || ser_encoding_always_writes(encoding, b);
}

/* Adds to the clause: a reached access of the lane conflicts and comes before. */
static void add_links(path_encoder *path, const ser_lane *lane, uint32_t to)
{
    ser_encoding *encoding = path->encoding;
    ser_range sources = sources_in(path, lane, to);
    /* Of those that always come before, the last one that conflicts is enough. */
    uint32_t i = sources.count - ser_range_not_before(sources, &encoding->must, to).count;
    while (i > 0 && !conflicts_always(encoding, sources.steps[i - 1], to))
        i--;
    for (i -= i > 0; i < sources.count && !ser_encoding_must_stop(encoding);) {
        uint32_t from = sources.steps[i++], door = path->door[from];
        if (door == SER_TASK_NONE || !add_link(path, from, to))
            continue;
        ser_range rest = {sources.steps + i, sources.count - i};
        i += ser_range_until(rest, path->next_door[door]).count;
    }
}

/* Can a conflict lead to the access, from the block or from one that takes part? */
static bool is_door(const path_encoder *path, uint32_t step)
{
    const ser_encoding *encoding = path->encoding;
    uint32_t count;
    const ser_lane *lanes = lanes_of(encoding, step, &count);
    for (uint32_t i = 0; i < count; i++) {
        ser_range block = block_in(encoding, &lanes[i], step);
        if (sources_in(path, &lanes[i], step).count ||
            ser_range_not_after(block, &encoding->must, step).count)
            return true;
    }
    return false;
}

static bool has_door(const path_encoder *path, uint32_t first)
{
    for (uint32_t i = first; i < ser_task_move_end(path->encoding->task, first); i++)
        if (is_door(path, i))
            return true;
    return false;
}

static void find_doors(path_encoder *path, uint32_t thread)
{
    ser_encoding *encoding = path->encoding;
    uint32_t door = SER_TASK_NONE, end = path->spans.to[thread];
    for (uint32_t i = path->spans.from[thread]; i < end; i++) {
        if (!ser_encoding_step(encoding, i)->access)
            continue;
        if (i == ser_task_move_first(encoding->task, i) && has_door(path, i)) {
            if (door != SER_TASK_NONE)
                path->next_door[door] = i;
            door = i;
            path->next_door[door] = end;
            path->reached[door] =
                ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED, encoding->point[i]);
        }
        path->door[i] = door;
    }
}

/* Adds to the clause all conflicts that lead to the access. */
static void add_reasons(path_encoder *path, uint32_t step)
{
    const ser_encoding *encoding = path->encoding;
    bool is_outside = ser_encoding_step(encoding, step)->thread != encoding->task->block_thread;
    uint32_t count;
    const ser_lane *lanes = lanes_of(encoding, step, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (is_outside)
            add_ways_out(path, &lanes[i], step);
        add_links(path, &lanes[i], step);
    }
}

/* If the move that starts here is reached, it happens and has a reason. */
static void encode_reached(path_encoder *path, uint32_t first, uint32_t previous_door)
{
    ser_encoding *encoding = path->encoding;
    path->clause.count = 0;
    ser_vector_push(&path->clause, ser_not(path->reached[first]));
    if (previous_door != SER_TASK_NONE)
        ser_vector_push(&path->clause, path->reached[previous_door]);
    for (uint32_t i = first; i < ser_task_move_end(encoding->task, first); i++)
        add_reasons(path, i);
    ser_formula_add(&encoding->formula, path->clause.items, path->clause.count);
    ser_formula_clause(&encoding->formula, ser_not(path->reached[first]), encoding->happens[first]);
}

static void encode_doors(path_encoder *path, uint32_t thread)
{
    uint32_t previous = SER_TASK_NONE;
    for (uint32_t i = path->spans.from[thread]; i < path->spans.to[thread]; i++) {
        if (path->door[i] != i || ser_encoding_must_stop(path->encoding))
            continue;
        encode_reached(path, i, previous);
        previous = i;
    }
}

/* The block is violated: one of its accesses is reached. */
static void encode_violation(path_encoder *path)
{
    ser_encoding *encoding = path->encoding;
    const ser_task *task = encoding->task;
    SER_VECTOR(ser_literal) violation = {0};
    for (uint32_t i = task->first_block_step; i <= task->last_block_step; i++) {
        if (!ser_encoding_step(encoding, i)->access || !ser_encoding_can_happen(encoding, i) ||
            i != ser_task_move_first(task, i))
            continue;
        path->reached[i] =
            ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED, encoding->point[i]);
        encode_reached(path, i, SER_TASK_NONE);
        ser_vector_push(&violation, path->reached[i]);
    }
    ser_formula_add(&encoding->formula, violation.items, violation.count);
    ser_vector_free(&violation);
}

void ser_encode_path(ser_encoding *encoding)
{
    uint32_t count = (uint32_t)encoding->task->steps.count;
    uint32_t threads = (uint32_t)encoding->task->threads.count;
    path_encoder path = {
        .encoding = encoding,
        .door = ser_alloc((size_t)count + 1, sizeof *path.door),
        .next_door = ser_alloc((size_t)count + 1, sizeof *path.next_door),
        .reached = ser_alloc((size_t)count + 1, sizeof *path.reached),
    };
    ser_spans_init(&path.spans, encoding, NULL);
    for (uint32_t i = 0; i < count; i++)
        path.door[i] = SER_TASK_NONE;
    for (uint32_t t = 0; t < threads; t++)
        find_doors(&path, t);
    for (uint32_t t = 0; t < threads; t++)
        encode_doors(&path, t);
    encode_violation(&path);
    ser_spans_fini(&path.spans);
    free(path.door);
    free(path.next_door);
    free(path.reached);
    ser_vector_free(&path.clause);
}
