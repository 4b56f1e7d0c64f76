/* SPDX-License-Identifier: MIT */
/*
 * The criterion of serializability: the block's transaction lies on a cycle of
 * transactions (ser_encode_cycle). As in encode_path.c, but a transaction is entered
 * at one access and left at any other, also an earlier one. Time does not go on along
 * such a path, so "reached" could lean on itself in a circle; a rank for every
 * transaction, another point of the formula that ascends along links, prevents it.
 *
 * Links in a thread lead from a transaction to the next. Between threads, of the
 * accesses of one transaction that conflict with an access elsewhere the first will
 * do as the way out (see encode_path.c).
 */
#include "predict/smt/encode/encoding.h"
#include "predict/smt/encode/spans.h"

typedef struct transaction {
    uint32_t first, end; /* its first access; behind its last one */
    uint32_t previous;   /* of the thread, or SER_TASK_NONE */
    ser_literal reached; /* SER_FALSE if it takes no part */
} transaction;

typedef struct cycle_encoder {
    ser_encoding *encoding;
    SER_VECTOR(transaction) all; /* those with accesses */
    uint32_t *of;                /* by step with an access */
    uint32_t home;               /* the block's; SER_TASK_NONE: it has no accesses */
    ser_spans spans;
    SER_VECTOR(ser_literal) clause;
} cycle_encoder;

static transaction *at(const cycle_encoder *cycle, uint32_t number)
{
    return &cycle->all.items[number];
}

/* Puts an access into the newest transaction of its thread, or a new one. */
static void place(cycle_encoder *cycle, uint32_t step, uint32_t *newest)
{
    ser_encoding *encoding = cycle->encoding;
    if (*newest == SER_TASK_NONE ||
        ser_encoding_step(encoding, at(cycle, *newest)->first)->transaction !=
            ser_encoding_step(encoding, step)->transaction) {
        transaction fresh = {.first = step, .previous = *newest, .reached = SER_FALSE};
        ser_vector_push(&cycle->all, fresh);
        *newest = (uint32_t)cycle->all.count - 1;
    }
    at(cycle, *newest)->end = step + 1;
    cycle->of[step] = *newest;
    if (ser_encoding_step(encoding, step)->in_block)
        cycle->home = *newest;
}

static void list_transactions(cycle_encoder *cycle)
{
    ser_encoding *encoding = cycle->encoding;
    for (size_t t = 0; t < encoding->task->threads.count; t++) {
        uint32_t newest = SER_TASK_NONE, first = encoding->task->threads.items[t].first;
        for (uint32_t i = first; i < first + encoding->must.possible[t]; i++)
            if (ser_encoding_step(encoding, i)->access)
                place(cycle, i, &newest);
    }
}

/* Transactions that take part get a boolean. */
static void choose_transactions(cycle_encoder *cycle)
{
    ser_encoding *encoding = cycle->encoding;
    size_t steps = encoding->task->steps.count;
    uint32_t *first = ser_alloc(steps + 1, sizeof *first), *end = ser_alloc(steps + 1, sizeof *end);
    for (uint32_t i = 0; i < cycle->all.count; i++)
        for (uint32_t k = at(cycle, i)->first; k < at(cycle, i)->end; k++) {
            first[k] = at(cycle, i)->first;
            end[k] = at(cycle, i)->end;
        }
    ser_spans_init(&cycle->spans, encoding, &(ser_groups){first, end});
    free(first);
    free(end);
    for (uint32_t i = 0; i < cycle->all.count; i++) {
        transaction *here = at(cycle, i);
        if (i != cycle->home && ser_spans_hold(&cycle->spans, encoding, here->first))
            here->reached = ser_formula_boolean(&encoding->formula, SER_ATOM_REACHED,
                                                encoding->point[here->first]);
    }
}

static bool takes_part(const cycle_encoder *cycle, uint32_t number)
{
    return number == cycle->home || at(cycle, number)->reached != SER_FALSE;
}

/* The point that is the transaction's rank. */
static uint32_t rank_of(const cycle_encoder *cycle, uint32_t number)
{
    const ser_encoding *encoding = cycle->encoding;
    return (uint32_t)encoding->task->steps.count + encoding->point[at(cycle, number)->first];
}

/* The first transaction is reached, and lower in rank than the second. */
static ser_literal is_source(cycle_encoder *cycle, uint32_t from, uint32_t to)
{
    ser_formula *formula = &cycle->encoding->formula;
    if (from == cycle->home)
        return SER_TRUE;
    if (to == cycle->home)
        return at(cycle, from)->reached;
    return ser_formula_both(formula, at(cycle, from)->reached,
                            ser_formula_before(formula, rank_of(cycle, from), rank_of(cycle, to)));
}

static void add_link(cycle_encoder *cycle, uint32_t from, uint32_t to)
{
    ser_encoding *encoding = cycle->encoding;
    ser_literal parts[] = {is_source(cycle, cycle->of[from], cycle->of[to]),
                           encoding->happens[from], encoding->happens[to],
                           ser_encoding_before(encoding, from, to),
                           ser_encoding_conflict(encoding, from, to)};
    ser_vector_push(&cycle->clause, ser_formula_all(&encoding->formula, parts, 5));
}

/* Adds to the clause: a link leads to the access from one of these accesses, of which
 * the first of each transaction that takes part will do. */
static void add_links_from(cycle_encoder *cycle, ser_range sources, uint32_t to)
{
    ser_encoding *encoding = cycle->encoding;
    sources = ser_range_not_after(sources, &encoding->must, to);
    for (uint32_t i = 0; i < sources.count && !ser_encoding_must_stop(encoding);) {
        uint32_t from = sources.steps[i], source = cycle->of[from];
        if (takes_part(cycle, source))
            add_link(cycle, from, to);
        ser_range rest = {sources.steps + i, sources.count - i};
        i += ser_range_until(rest, at(cycle, source)->end).count;
    }
}

/* The same for all threads but its own. */
static void add_links(cycle_encoder *cycle, uint32_t to)
{
    ser_encoding *encoding = cycle->encoding;
    const ser_task_step *step = ser_encoding_step(encoding, to);
    const ser_lanes *lanes = &encoding->lanes;
    for (uint32_t i = lanes->first_of[step->variable]; i < lanes->first_of[step->variable + 1];
         i++) {
        const ser_lane *lane = &lanes->all.items[i];
        if (lane->thread == step->thread)
            continue;
        add_links_from(cycle, ser_lane_rivals(lane, step->access), to);
        /* The first access may be a read, and the target a read-modify-write that turns
         * out broken: then the first write counts. */
        if (step->access == SER_ACCESS_RMW)
            add_links_from(cycle, lane->writes, to);
    }
}

/* Either the transaction is not reached, or a link leads to it. */
static void encode_entry(cycle_encoder *cycle, uint32_t number)
{
    ser_encoding *encoding = cycle->encoding;
    const transaction *here = at(cycle, number);
    cycle->clause.count = 0;
    ser_vector_push(&cycle->clause, ser_not(here->reached));
    if (here->previous != SER_TASK_NONE && takes_part(cycle, here->previous)) {
        ser_literal source = is_source(cycle, here->previous, number);
        ser_vector_push(&cycle->clause, ser_formula_both(&encoding->formula, source,
                                                         encoding->happens[here->first]));
    }
    for (uint32_t i = here->first; i < here->end && !ser_encoding_must_stop(encoding); i++)
        if (ser_encoding_step(encoding, i)->access)
            add_links(cycle, i);
    ser_formula_add(&encoding->formula, cycle->clause.items, cycle->clause.count);
}

static void encode_violation(cycle_encoder *cycle)
{
    choose_transactions(cycle);
    for (uint32_t i = 0; i < cycle->all.count && !ser_encoding_must_stop(cycle->encoding); i++)
        if (i != cycle->home && takes_part(cycle, i))
            encode_entry(cycle, i);
    at(cycle, cycle->home)->reached = SER_TRUE; /* this is the violation */
    encode_entry(cycle, cycle->home);
    ser_spans_fini(&cycle->spans);
}

void ser_encode_cycle(ser_encoding *encoding)
{
    cycle_encoder cycle = {
        .encoding = encoding,
        .of = ser_alloc(encoding->task->steps.count + 1, sizeof *cycle.of),
        .home = SER_TASK_NONE,
    };
    list_transactions(&cycle);
    if (cycle.home == SER_TASK_NONE)
        ser_formula_add(&encoding->formula, NULL, 0);
    else
        encode_violation(&cycle);
    free(cycle.of);
    ser_vector_free(&cycle.all);
    ser_vector_free(&cycle.clause);
}
