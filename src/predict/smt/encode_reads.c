/* SPDX-License-Identifier: MIT */
/*
 * When is a read not broken? Its source has written before it, and no other write
 * lies between the two; or, if it reads what was there at the start, no write comes
 * before it (ser_encode_reads). With q writes and p reads of a variable that is p * q
 * clauses, less those pairs whose order is the same in all runs.
 */
#include "predict/smt/encoding.h"

/* A read with its source, and another access of the variable that may write. */
typedef struct read_case {
    ser_encoding *encoding;
    uint32_t read, source; /* source may be SER_TASK_START */
} read_case;

static ser_literal comes_before_source(const read_case *at, uint32_t other)
{
    return at->source == SER_TASK_START ? SER_FALSE
                                        : ser_encoding_before(at->encoding, other, at->source);
}

static ser_literal comes_after_source(const read_case *at, uint32_t other)
{
    return at->source == SER_TASK_START ? SER_TRUE
                                        : ser_encoding_before(at->encoding, at->source, other);
}

static void demand_source(const read_case *at)
{
    ser_encoding *encoding = at->encoding;
    ser_literal not_unbroken = ser_not(encoding->unbroken[at->read]);
    if (at->source == SER_TASK_START)
        return;
    ser_formula_clause(&encoding->formula, not_unbroken, ser_encoding_writes(encoding, at->source));
    ser_formula_clause(&encoding->formula, not_unbroken,
                       ser_encoding_before(encoding, at->source, at->read));
}

static void demand_no_write_between(const read_case *at, uint32_t other)
{
    ser_encoding *encoding = at->encoding;
    ser_formula_clause(&encoding->formula, ser_not(encoding->unbroken[at->read]),
                       ser_not(ser_encoding_writes(encoding, other)),
                       comes_before_source(at, other),
                       ser_encoding_before(encoding, at->read, other));
}

/* Implies that the other access writes between the source and the read. */
static ser_literal intervenes(const read_case *at, uint32_t other)
{
    ser_encoding *encoding = at->encoding;
    ser_literal parts[] = {
        ser_encoding_writes(encoding, other),
        comes_after_source(at, other),
        ser_encoding_before(encoding, other, at->read),
    };
    return ser_formula_all(&encoding->formula, parts, 3);
}

static bool is_rival(const read_case *at, uint32_t other)
{
    return other != at->read && other != at->source &&
           ser_encoding_step(at->encoding, other)->access != SER_ACCESS_READ;
}

/* The other direction: a read-modify-write that happens and does not write has a
 * reason for it. */
static void demand_reason(const read_case *at, const uint32_t *group, size_t count)
{
    ser_encoding *encoding = at->encoding;
    SER_VECTOR(ser_literal) clause = {0};
    ser_vector_push(&clause, ser_not(encoding->happens[at->read]));
    ser_vector_push(&clause, encoding->unbroken[at->read]);
    if (at->source != SER_TASK_START) {
        ser_vector_push(&clause, ser_not(ser_encoding_writes(encoding, at->source)));
        ser_vector_push(&clause, ser_encoding_before(encoding, at->read, at->source));
    }
    for (size_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++)
        if (is_rival(at, group[i]))
            ser_vector_push(&clause, intervenes(at, group[i]));
    ser_formula_add(&encoding->formula, clause.items, clause.count);
    ser_vector_free(&clause);
}

static void encode_read(ser_encoding *encoding, uint32_t read, const uint32_t *group, size_t count)
{
    const ser_task_step *step = ser_encoding_step(encoding, read);
    if (encoding->unbroken[read] == SER_FALSE || encoding->reliable[read])
        return;
    if (step->source != SER_TASK_START && !ser_encoding_can_happen(encoding, step->source)) {
        ser_formula_clause(&encoding->formula, ser_not(encoding->unbroken[read]));
        return;
    }
    read_case at = {encoding, read, step->source};
    demand_source(&at);
    encoding->formula.defer = true;
    for (size_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++)
        if (is_rival(&at, group[i]))
            demand_no_write_between(&at, group[i]);
    encoding->formula.defer = false;
    if (step->access == SER_ACCESS_RMW)
        demand_reason(&at, group, count);
}

void ser_encode_reads(ser_encoding *encoding)
{
    for (uint32_t variable = 0; variable < encoding->task->variables; variable++) {
        uint32_t first = encoding->first_of[variable];
        uint32_t count = encoding->first_of[variable + 1] - first;
        const uint32_t *group = encoding->by_variable + first;
        for (uint32_t i = 0; i < count && !ser_encoding_must_stop(encoding); i++)
            if (ser_encoding_step(encoding, group[i])->access != SER_ACCESS_WRITE)
                encode_read(encoding, group[i], group, count);
    }
}
