/* SPDX-License-Identifier: MIT */
/*
 * When is a read not broken? Its source has written before it, and no other write
 * lies between the two; or, if it reads what was there at the start, no write comes
 * before it (ser_encode_reads). With q writes and p reads of a variable that is p * q
 * clauses, less those pairs whose order is the same in all runs.
 */
#include "predict/smt/encode/encoding.h"

typedef struct read_case {
    ser_encoding *encoding;
    uint32_t read, source;           /* source may be SER_TASK_START */
    SER_VECTOR(uint32_t) rivals;     /* that may write between the two */
    SER_VECTOR(ser_literal) reasons; /* a clause: why reads of the move are broken */
} read_case;

/* Those that must come before the source, or after the read, are none. */
static void find_rivals(read_case *at)
{
    const ser_encoding *encoding = at->encoding;
    uint32_t variable = ser_encoding_step(encoding, at->read)->variable;
    at->rivals.count = 0;
    for (uint32_t i = encoding->lanes.first_of[variable];
         i < encoding->lanes.first_of[variable + 1]; i++) {
        ser_range writes = encoding->lanes.all.items[i].writes;
        writes = ser_range_not_after(writes, &encoding->must, at->read);
        if (at->source != SER_TASK_START)
            writes = ser_range_not_before(writes, &encoding->must, at->source);
        for (uint32_t k = 0; k < writes.count; k++)
            if (writes.steps[k] != at->read && writes.steps[k] != at->source)
                ser_vector_push(&at->rivals, writes.steps[k]);
    }
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

static void demand_no_write_between(const read_case *at, uint32_t rival)
{
    ser_encoding *encoding = at->encoding;
    ser_literal before_source =
        at->source == SER_TASK_START ? SER_FALSE : ser_encoding_before(encoding, rival, at->source);
    ser_formula_clause(&encoding->formula, ser_not(encoding->unbroken[at->read]),
                       ser_not(ser_encoding_writes(encoding, rival)), before_source,
                       ser_encoding_before(encoding, at->read, rival));
}

/* The rival writes between the source and the read. */
static ser_literal intervenes(const read_case *at, uint32_t rival)
{
    ser_encoding *encoding = at->encoding;
    ser_literal parts[] = {
        ser_encoding_writes(encoding, rival),
        at->source == SER_TASK_START ? SER_TRUE : ser_encoding_before(encoding, at->source, rival),
        ser_encoding_before(encoding, rival, at->read),
    };
    return ser_formula_all(&encoding->formula, parts, 3);
}

/* Adds to the clause all that can break the read. */
static void add_reasons(read_case *at)
{
    ser_encoding *encoding = at->encoding;
    if (at->source != SER_TASK_START) {
        ser_vector_push(&at->reasons, ser_not(ser_encoding_writes(encoding, at->source)));
        ser_vector_push(&at->reasons, ser_encoding_before(encoding, at->read, at->source));
    }
    for (size_t i = 0; i < at->rivals.count && !ser_encoding_must_stop(encoding); i++)
        ser_vector_push(&at->reasons, intervenes(at, at->rivals.items[i]));
}

static void encode_read(read_case *at)
{
    ser_encoding *encoding = at->encoding;
    const ser_task_step *step = ser_encoding_step(encoding, at->read);
    at->source = step->source;
    find_rivals(at);
    demand_source(at);
    encoding->formula.defer = true;
    for (size_t i = 0; i < at->rivals.count && !ser_encoding_must_stop(encoding); i++)
        demand_no_write_between(at, at->rivals.items[i]);
    encoding->formula.defer = false;
    if (step->access == SER_ACCESS_RMW)
        add_reasons(at);
}

/* Can the sources of all reads of the move happen? */
static bool has_sources(const ser_encoding *encoding, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t source = ser_encoding_step(encoding, i)->source;
        if (source != SER_TASK_START && !ser_encoding_can_happen(encoding, source))
            return false;
    }
    return true;
}

/* The reads of one move, mostly one. The other direction is for read-modify-writes: those
 * that happen and do not write have a reason for it, of which one is enough for all. */
static void encode_move(read_case *at, uint32_t first, uint32_t end)
{
    ser_encoding *encoding = at->encoding;
    if (encoding->unbroken[first] == SER_FALSE || encoding->reliable[first])
        return;
    if (!has_sources(encoding, first, end)) {
        ser_formula_clause(&encoding->formula, ser_not(encoding->unbroken[first]));
        return;
    }
    at->reasons.count = 0;
    ser_vector_push(&at->reasons, ser_not(encoding->happens[first]));
    ser_vector_push(&at->reasons, encoding->unbroken[first]);
    for (uint32_t i = first; i < end; i++) {
        at->read = i;
        if (!ser_encoding_from_move(encoding, i))
            encode_read(at);
    }
    if (ser_encoding_step(encoding, first)->access == SER_ACCESS_RMW)
        ser_formula_add(&encoding->formula, at->reasons.items, at->reasons.count);
}

void ser_encode_reads(ser_encoding *encoding)
{
    read_case at = {.encoding = encoding};
    for (uint32_t i = 0, end; i < encoding->task->steps.count; i = end) {
        const ser_task_step *step = ser_encoding_step(encoding, i);
        end = ser_task_move_end(encoding->task, i);
        if ((step->access != SER_ACCESS_READ && step->access != SER_ACCESS_RMW) ||
            !ser_encoding_can_happen(encoding, i) || ser_encoding_must_stop(encoding))
            continue;
        encode_move(&at, i, end);
    }
    ser_vector_free(&at.rivals);
    ser_vector_free(&at.reasons);
}
