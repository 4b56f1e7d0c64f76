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
#include "predict/smt/encoding.h"

typedef struct transaction {
    uint32_t first;          /* its first access */
    uint32_t previous, next; /* of the thread, or SER_TASK_NONE */
    uint32_t end;            /* behind its last access */
    bool ahead, behind;      /* may be reached; may lead back */
    ser_literal reached;     /* SER_FALSE if it takes no part */
} transaction;

typedef struct cycle_encoder {
    ser_encoding *encoding;
    SER_VECTOR(transaction) all; /* those with accesses */
    uint32_t *of;                /* by step with an access */
    uint32_t home;               /* the block's; SER_TASK_NONE: it has no accesses */
    SER_VECTOR(uint32_t) work;
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
        uint32_t fresh = (uint32_t)cycle->all.count;
        if (*newest != SER_TASK_NONE)
            at(cycle, *newest)->next = fresh;
        ser_vector_push(
            &cycle->all,
            ((transaction){
                .first = step, .previous = *newest, .next = SER_TASK_NONE, .reached = SER_FALSE}));
        *newest = fresh;
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

static bool may_link(const ser_encoding *encoding, uint32_t from, uint32_t to)
{
    return ser_encoding_may_conflict(encoding, from, to) &&
           ser_encoding_step(encoding, from)->thread != ser_encoding_step(encoding, to)->thread &&
           !ser_must_precede(&encoding->must, to, from);
}

static void mark(cycle_encoder *cycle, uint32_t number, bool forward)
{
    if (number == SER_TASK_NONE)
        return;
    bool *marked = forward ? &at(cycle, number)->ahead : &at(cycle, number)->behind;
    if (*marked)
        return;
    *marked = true;
    ser_vector_push(&cycle->work, number);
}

static void mark_linked(cycle_encoder *cycle, uint32_t step, bool forward)
{
    ser_encoding *encoding = cycle->encoding;
    uint32_t variable = ser_encoding_step(encoding, step)->variable;
    for (uint32_t i = encoding->first_of[variable];
         i < encoding->first_of[variable + 1] && !ser_encoding_must_stop(encoding); i++) {
        uint32_t other = encoding->by_variable[i];
        if (may_link(encoding, forward ? step : other, forward ? other : step))
            mark(cycle, cycle->of[other], forward);
    }
}

static void mark_all(cycle_encoder *cycle, bool forward)
{
    mark(cycle, cycle->home, forward);
    while (cycle->work.count && !ser_encoding_must_stop(cycle->encoding)) {
        transaction here = *at(cycle, cycle->work.items[--cycle->work.count]);
        mark(cycle, forward ? here.next : here.previous, forward);
        for (uint32_t i = here.first; i < here.end; i++)
            if (ser_encoding_step(cycle->encoding, i)->access)
                mark_linked(cycle, i, forward);
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

/* Adds to the clause: a link leads to the access from another thread's transaction. */
static void add_links(cycle_encoder *cycle, uint32_t to)
{
    ser_encoding *encoding = cycle->encoding;
    const ser_task_step *step = ser_encoding_step(encoding, to);
    uint32_t seen = SER_TASK_NONE, seen_writing = SER_TASK_NONE;
    for (uint32_t i = encoding->first_of[step->variable];
         i < encoding->first_of[step->variable + 1] && !ser_encoding_must_stop(encoding); i++) {
        uint32_t from = encoding->by_variable[i], source = cycle->of[from];
        bool writes = ser_encoding_step(encoding, from)->access != SER_ACCESS_READ;
        /* A read as target, or a read-modify-write that may be broken, asks for the
         * first write of the source as well. */
        bool is_first = source != seen ||
                        (writes && source != seen_writing && step->access != SER_ACCESS_WRITE);
        seen = source;
        if (writes)
            seen_writing = source;
        if (is_first && takes_part(cycle, source) && may_link(encoding, from, to))
            add_link(cycle, from, to);
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
    for (uint32_t i = 0; i < cycle->all.count; i++) {
        transaction *here = at(cycle, i);
        if (i != cycle->home && here->ahead && here->behind)
            here->reached = ser_formula_boolean(&cycle->encoding->formula, SER_ATOM_REACHED,
                                                cycle->encoding->point[here->first]);
    }
    for (uint32_t i = 0; i < cycle->all.count && !ser_encoding_must_stop(cycle->encoding); i++)
        if (i != cycle->home && takes_part(cycle, i))
            encode_entry(cycle, i);
    at(cycle, cycle->home)->reached = SER_TRUE; /* this is the violation */
    encode_entry(cycle, cycle->home);
}

void ser_encode_cycle(ser_encoding *encoding)
{
    cycle_encoder cycle = {
        .encoding = encoding,
        .of = ser_alloc(encoding->task->steps.count + 1, sizeof *cycle.of),
        .home = SER_TASK_NONE,
    };
    list_transactions(&cycle);
    mark_all(&cycle, true);
    mark_all(&cycle, false);
    if (cycle.home == SER_TASK_NONE)
        ser_formula_add(&encoding->formula, NULL, 0);
    else
        encode_violation(&cycle);
    free(cycle.of);
    ser_vector_free(&cycle.all);
    ser_vector_free(&cycle.work);
    ser_vector_free(&cycle.clause);
}
