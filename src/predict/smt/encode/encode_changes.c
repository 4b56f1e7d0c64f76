/* SPDX-License-Identifier: MIT */
/*
 * Where reads may change: when is a move unchanged, and what asks for that (ser_encode_changes)?
 *
 * A move is unchanged if each of its reads sees its source or an accepted write, the last one
 * before it, and that is clean: its thread has no changed move so far. Steps at a limit, joins
 * and unspoiled steps ask for it. One implication is enough, from "unchanged" to its reasons, but
 * for a read-modify-write that fails if it is changed: it has one or the other, and "changed" has
 * reasons, too: one read saw another write, or a dirty one.
 *
 * Only moves that are in doubt (doubts.h) make clauses, each read of the order of the
 * writes of its variable (sights.h).
 */
#include "predict/smt/encode/doubts.h"
#include "predict/smt/encode/sights.h"

typedef struct change_encoder {
    ser_encoding *encoding;
    ser_doubts doubts;
    /* By first step of a move: no move of the thread so far is changed; one is. */
    ser_literal *clean, *dirty, *changed;
    bool *is_source; /* by step, of the read at hand */
    ser_source_list sources;
    ser_sight_list sights;
    ser_literal *scratch; /* of ser_encode_sights */
} change_encoder;

static const ser_task *task_of(const change_encoder *at)
{
    return at->encoding->task;
}

static void make_booleans(change_encoder *at, uint32_t first)
{
    ser_encoding *encoding = at->encoding;
    ser_formula *formula = &encoding->formula;
    ser_literal unbroken = encoding->reliable[first] ? encoding->happens[first] : SER_FALSE;
    at->changed[first] = SER_FALSE;
    bool is_lost = ser_encoding_step(encoding, first)->action == SER_LOCK_TEST &&
                   ser_encoding_step(encoding, first)->source == SER_TASK_NEVER;
    if (at->doubts.unchanged.has[first] && !is_lost) {
        bool fails = ser_doubts_may_fail(encoding, first);
        unbroken = ser_formula_boolean(formula, fails ? SER_ATOM_WRITES : SER_ATOM_UNBROKEN,
                                       encoding->point[first]);
        ser_formula_clause(formula, ser_not(unbroken), encoding->happens[first]);
    }
    if (at->doubts.changed.has[first])
        at->changed[first] = ser_formula_boolean(formula, SER_ATOM_HELPER, 0);
    for (uint32_t i = first; i < ser_task_move_end(encoding->task, first); i++)
        encoding->unbroken[i] = unbroken;
}

/* Moves at which a thread stops if they are changed do not count: steps after them demand that
 * already. */
static void make_prefixes(change_encoder *at, uint32_t thread)
{
    ser_encoding *encoding = at->encoding;
    ser_formula *formula = &encoding->formula;
    ser_literal clean = SER_TRUE, dirty = SER_FALSE;
    uint32_t i = task_of(at)->threads.items[thread].first;
    uint32_t end = i + encoding->must.possible[thread];
    for (; i < end; i = ser_task_move_end(encoding->task, i)) {
        ser_literal clean_before = clean, dirty_before = dirty;
        if (ser_doubts_makes_dirty(encoding, i) && at->doubts.unchanged.has[i]) {
            clean = ser_formula_boolean(formula, SER_ATOM_HELPER, 0);
            ser_formula_clause(formula, ser_not(clean), clean_before);
            ser_formula_clause(formula, ser_not(clean), encoding->unbroken[i]);
        }
        if (ser_doubts_makes_dirty(encoding, i) && at->doubts.changed.has[i]) {
            dirty = ser_formula_boolean(formula, SER_ATOM_HELPER, 0);
            ser_formula_clause(formula, ser_not(dirty), dirty_before, at->changed[i]);
        }
        bool is_known = ser_encoding_step(encoding, i)->writes_known;
        at->clean[i] = is_known ? clean_before : clean;
        at->dirty[i] = is_known ? dirty_before : dirty;
    }
}

static ser_literal prefix_at(const change_encoder *at, const ser_literal *prefixes, uint32_t write)
{
    return prefixes[ser_task_move_first(task_of(at), write)];
}

/* If the move is unchanged, the read sees one of its sources, which is clean. */
static void demand_unchanged(change_encoder *at, uint32_t read)
{
    ser_encoding *encoding = at->encoding;
    at->sights.count = 0;
    for (size_t i = 0; i < at->sources.count; i++) {
        uint32_t write = at->sources.items[i];
        bool from_start = write == SER_TASK_START;
        ser_literal clean = from_start ? SER_TRUE : prefix_at(at, at->clean, write);
        ser_vector_push(&at->sights, ((ser_sight){write, clean, SER_FALSE}));
    }
    ser_encode_sights(encoding, read, encoding->unbroken[read], &at->sights,
                      ser_encoding_horizon(encoding, read, false), at->scratch);
}

static void add_sights_of_lane(change_encoder *at, uint32_t read, const ser_lane *lane)
{
    const ser_encoding *encoding = at->encoding;
    ser_range writes = ser_range_not_after(lane->writes, &encoding->must, read);
    for (uint32_t i = 0; i < writes.count; i++) {
        uint32_t write = writes.steps[i];
        if (ser_encoding_is_overwritten(encoding, write))
            continue;
        ser_literal missed = at->is_source[write] ? prefix_at(at, at->dirty, write) : SER_TRUE;
        if (write != read && missed != SER_FALSE)
            ser_vector_push(&at->sights, ((ser_sight){write, missed, SER_FALSE}));
    }
}

/* If the literal that is returned holds, the read sees another write, or a dirty one. */
static ser_literal demand_changed(change_encoder *at, uint32_t read)
{
    ser_encoding *encoding = at->encoding;
    const ser_lanes *lanes = &encoding->lanes;
    uint32_t variable = ser_encoding_step(encoding, read)->variable;
    ser_literal changed = ser_formula_boolean(&encoding->formula, SER_ATOM_HELPER, 0);
    bool accepts_start = false;
    for (size_t i = 0; i < at->sources.count; i++) {
        if (at->sources.items[i] == SER_TASK_START)
            accepts_start = true;
        else
            at->is_source[at->sources.items[i]] = true;
    }
    at->sights.count = 0;
    if (!accepts_start)
        ser_vector_push(&at->sights, ((ser_sight){SER_TASK_START, SER_TRUE, SER_FALSE}));
    for (uint32_t i = lanes->first_of[variable]; i < lanes->first_of[variable + 1]; i++)
        add_sights_of_lane(at, read, &lanes->all.items[i]);
    for (size_t i = 0; i < at->sources.count; i++)
        if (at->sources.items[i] != SER_TASK_START)
            at->is_source[at->sources.items[i]] = false;
    ser_encode_sights(encoding, read, changed, &at->sights,
                      ser_encoding_horizon(encoding, read, true), at->scratch);
    return changed;
}

static void encode_move(change_encoder *at, uint32_t first)
{
    ser_encoding *encoding = at->encoding;
    SER_VECTOR(ser_literal) reasons = {0};
    bool is_doubted = at->doubts.changed.has[first];
    ser_vector_push(&reasons, ser_not(at->changed[first]));
    for (uint32_t i = first; i < ser_task_move_end(encoding->task, first); i++) {
        if (ser_encoding_from_move(encoding, i))
            continue;
        ser_doubts_list_sources(encoding, i, &at->sources);
        demand_unchanged(at, i);
        if (is_doubted)
            ser_vector_push(&reasons, demand_changed(at, i));
    }
    if (is_doubted)
        ser_formula_add(&encoding->formula, reasons.items, reasons.count);
    if (ser_doubts_may_fail(encoding, first))
        ser_formula_clause(&encoding->formula, ser_not(encoding->happens[first]),
                           encoding->unbroken[first], at->changed[first]);
    ser_vector_free(&reasons);
}

static void demand_all(change_encoder *at, uint32_t step, ser_limited limited)
{
    ser_encoding *encoding = at->encoding;
    for (uint32_t i = 0; i < limited.count; i++)
        ser_formula_clause(&encoding->formula, ser_not(encoding->happens[step]),
                           encoding->unbroken[limited.moves[i]]);
}

/* A thread stops at a changed move that is its own limit, or that another changed one has. */
static void encode_need(change_encoder *at, uint32_t step, uint32_t need)
{
    ser_encoding *encoding = at->encoding;
    ser_formula *formula = &encoding->formula;
    const ser_limits *limits = &encoding->must.limits;
    ser_literal not_here = ser_not(encoding->happens[step]);
    if (!ser_encoding_has_source(encoding, need))
        return;
    if (ser_limits_stop(limits, need)) {
        ser_formula_clause(formula, not_here, encoding->unbroken[need]);
        return;
    }
    ser_limited others = ser_limits_behind(limits, need);
    for (uint32_t i = 0; i < others.count; i++)
        ser_formula_clause(formula, not_here, encoding->unbroken[need],
                           encoding->unbroken[others.moves[i]]);
}

/* Nothing of a thread that comes before the unspoiled step is changed. */
static void encode_unspoiled(change_encoder *at, uint32_t step, uint32_t thread)
{
    ser_encoding *encoding = at->encoding;
    const ser_task *task = encoding->task;
    ser_formula *formula = &encoding->formula;
    ser_literal not_here = ser_not(encoding->happens[step]);
    uint32_t first = task->threads.items[thread].first;
    uint32_t i = first + ser_must_count(&encoding->must, thread, step);
    if (i > first) {
        uint32_t last = ser_task_move_first(task, i - 1);
        ser_formula_clause(formula, not_here, at->clean[last]);
        if (ser_encoding_has_source(encoding, last))
            ser_formula_clause(formula, not_here, encoding->unbroken[last]);
    }
    for (; i < first + encoding->must.possible[thread]; i = ser_task_move_end(task, i)) {
        if (!ser_encoding_has_source(encoding, i) || encoding->reliable[i])
            continue;
        if (i == step || ser_must_precede(&encoding->must, step, i) ||
            ser_encoding_must_stop(encoding))
            return;
        ser_formula_clause(formula, not_here, ser_not(encoding->happens[i]),
                           ser_encoding_before(encoding, step, i), encoding->unbroken[i]);
    }
}

static void encode_step(change_encoder *at, uint32_t number)
{
    const ser_task *task = task_of(at);
    const ser_task_step *step = &task->steps.items[number];
    const ser_limits *limits = &at->encoding->must.limits;
    demand_all(at, number, ser_limits_at(limits, number));
    if (step->ends != SER_TASK_NONE)
        demand_all(at, number, ser_limits_at_end(limits, task->steps.items[step->ends].thread));
    for (uint32_t i = 0; i < step->needs.count; i++)
        encode_need(at, number, task->lists.items[step->needs.first + i]);
    for (uint32_t t = 0; t < task->threads.count && step->unspoiled; t++)
        encode_unspoiled(at, number, t);
}

static void encode_all(change_encoder *at)
{
    ser_encoding *encoding = at->encoding;
    const ser_task *task = encoding->task;
    for (uint32_t i = 0; i < task->steps.count; i = ser_task_move_end(task, i))
        if (ser_encoding_can_happen(encoding, i))
            make_booleans(at, i);
    for (uint32_t t = 0; t < task->threads.count; t++)
        make_prefixes(at, t);
    for (uint32_t i = 0; i < task->steps.count && !ser_encoding_must_stop(encoding);
         i = ser_task_move_end(task, i)) {
        if (!ser_encoding_can_happen(encoding, i))
            continue;
        encode_step(at, i);
        if (at->doubts.unchanged.has[i] && ser_encoding_step(encoding, i)->access)
            encode_move(at, i);
    }
}

void ser_encode_changes(ser_encoding *encoding)
{
    size_t count = encoding->task->steps.count + 1;
    change_encoder at = {
        .encoding = encoding,
        .clean = ser_alloc(count, sizeof *at.clean),
        .dirty = ser_alloc(count, sizeof *at.dirty),
        .changed = ser_alloc(count, sizeof *at.changed),
        .is_source = ser_alloc(count, sizeof *at.is_source),
        .scratch = ser_alloc(count, sizeof *at.scratch),
    };
    for (size_t i = 0; i < count; i++)
        at.scratch[i] = SER_FALSE;
    ser_doubts_init(&at.doubts, encoding);
    encode_all(&at);
    ser_doubts_fini(&at.doubts);
    ser_vector_free(&at.sources);
    ser_vector_free(&at.sights);
    free(at.clean);
    free(at.dirty);
    free(at.changed);
    free(at.is_source);
    free(at.scratch);
}
