/* SPDX-License-Identifier: MIT */
#include "predict/smt/encode/sights.h"

typedef struct sight_encoder {
    ser_encoding *encoding;
    ser_sight_list *sights;
    uint32_t read, horizon;
    ser_literal premise;
} sight_encoder;

/* What it takes to see a write, but for the others. */
static void demand_write(const sight_encoder *at, const ser_sight *sight)
{
    ser_formula *formula = &at->encoding->formula;
    ser_literal not_seen = ser_not(sight->sees);
    ser_formula_clause(formula, not_seen, sight->condition);
    if (sight->write == SER_TASK_START)
        return;
    ser_formula_clause(formula, not_seen, ser_encoding_writes(at->encoding, sight->write));
    ser_formula_clause(formula, not_seen,
                       ser_encoding_before(at->encoding, sight->write, at->read));
}

/* If there is but one to see. */
static void demand_before(const sight_encoder *at, uint32_t rival)
{
    ser_encoding *encoding = at->encoding;
    uint32_t write = at->sights->items[0].write;
    ser_literal before =
        write == SER_TASK_START ? SER_FALSE : ser_encoding_before(encoding, rival, write);
    ser_formula_clause(&encoding->formula, ser_not(at->premise),
                       ser_not(ser_encoding_writes(encoding, rival)), before,
                       ser_encoding_before(encoding, at->read, rival));
}

static const ser_sight *find(const sight_encoder *at, uint32_t write)
{
    for (size_t i = 0; i < at->sights->count; i++)
        if (at->sights->items[i].write == write)
            return &at->sights->items[i];
    return NULL;
}

static void demand_beyond(const sight_encoder *at, uint32_t rival, const ser_sight *of_start,
                          ser_literal seen)
{
    ser_encoding *encoding = at->encoding;
    ser_formula *formula = &encoding->formula;
    ser_literal not_written = ser_not(ser_encoding_writes(encoding, rival));
    ser_literal after = ser_encoding_before(encoding, at->read, rival);
    ser_literal before = ser_formula_before(formula, encoding->point[rival], at->horizon);
    ser_formula_clause(formula, ser_not(at->premise), not_written, before, after, seen);
    if (of_start)
        ser_formula_clause(formula, ser_not(of_start->sees), not_written, ser_not(before), after);
}

/* How many steps of a thread come before all that may be seen, whatever happens. */
static uint32_t count_before(const sight_encoder *at, uint32_t thread)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < at->sights->count; i++) {
        uint32_t write = at->sights->items[i].write;
        uint32_t count =
            write == SER_TASK_START ? 0 : ser_must_count(&at->encoding->must, thread, write);
        least = count < least ? count : least;
    }
    return least;
}

/* Asks for every other write that may come between. `seen`: by step, sights of it. */
static void demand_rivals(const sight_encoder *at, const ser_literal *seen)
{
    ser_encoding *encoding = at->encoding;
    const ser_lanes *lanes = &encoding->lanes;
    const ser_sight *of_start = find(at, SER_TASK_START);
    uint32_t variable = ser_encoding_step(encoding, at->read)->variable;
    for (uint32_t i = lanes->first_of[variable]; i < lanes->first_of[variable + 1]; i++) {
        const ser_lane *lane = &lanes->all.items[i];
        uint32_t first = encoding->task->threads.items[lane->thread].first;
        ser_range writes = ser_range_not_after(lane->writes, &encoding->must, at->read);
        writes = ser_range_from(writes, first + count_before(at, lane->thread));
        for (uint32_t k = 0; k < writes.count && !ser_encoding_must_stop(encoding); k++) {
            uint32_t rival = writes.steps[k];
            if (rival == at->read || ser_encoding_is_overwritten(encoding, rival))
                continue; /* the writes of a move have one point */
            if (at->sights->count > 1)
                demand_beyond(at, rival, of_start, seen[rival]);
            else if (rival != at->sights->items[0].write)
                demand_before(at, rival);
        }
    }
}

static void choose_one(const sight_encoder *at)
{
    ser_formula *formula = &at->encoding->formula;
    SER_VECTOR(ser_literal) clause = {0};
    ser_vector_push(&clause, ser_not(at->premise));
    for (size_t i = 0; i < at->sights->count; i++) {
        ser_sight *sight = &at->sights->items[i];
        sight->sees =
            at->sights->count == 1 ? at->premise : ser_formula_boolean(formula, SER_ATOM_HELPER, 0);
        ser_vector_push(&clause, sight->sees);
        demand_write(at, sight);
        if (at->sights->count > 1 && sight->write != SER_TASK_START)
            ser_formula_clause(
                formula, ser_not(sight->sees),
                ser_formula_before(formula, at->horizon, at->encoding->point[sight->write]));
    }
    ser_formula_add(formula, clause.items, clause.count);
    ser_vector_free(&clause);
}

void ser_encode_sights(ser_encoding *encoding, uint32_t read, ser_literal premise,
                       ser_sight_list *sights, uint32_t horizon, ser_literal *scratch)
{
    sight_encoder at = {encoding, sights, read, horizon, premise};
    choose_one(&at);
    if (!sights->count)
        return;
    for (size_t i = 0; i < sights->count; i++)
        if (sights->items[i].write != SER_TASK_START)
            scratch[sights->items[i].write] = sights->items[i].sees;
    encoding->formula.defer = true;
    demand_rivals(&at, scratch);
    encoding->formula.defer = false;
    for (size_t i = 0; i < sights->count; i++)
        if (sights->items[i].write != SER_TASK_START)
            scratch[sights->items[i].write] = SER_FALSE;
}
