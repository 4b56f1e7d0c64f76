/* SPDX-License-Identifier: MIT */
/*
 * Program order among points (ser_encode_order), when all other atoms are known.
 *
 * Points of a thread ascend. That is said twice: to the theory, by places, and to the
 * core of the solver, by clauses between atoms: what comes before a step comes before
 * all that follow it in the thread. The clauses follow from the rest, but with them a
 * solver need not detect each such conflict between places before it learns from it.
 */
#include "predict/smt/encoding.h"

/* An atom, seen from one of its two points. */
typedef struct question {
    uint32_t about;     /* the point */
    uint32_t thread;    /* of the other point */
    uint32_t other;     /* the other point, a step */
    ser_literal before; /* about comes before other */
} question;

static int by_other(const void *a, const void *b)
{
    const question *first = a, *second = b;
    if (first->about != second->about)
        return first->about < second->about ? -1 : 1;
    return first->other < second->other ? -1 : first->other > second->other;
}

/* Points of a thread ascend. Only those that occur in an atom have to. */
static void encode_places(ser_encoding *encoding)
{
    ser_formula *formula = &encoding->formula;
    for (size_t t = 0; t < encoding->task->threads.count; t++) {
        uint32_t first = encoding->task->threads.items[t].first, previous = SER_TASK_NONE;
        for (uint32_t i = first; i < first + encoding->must.possible[t]; i++) {
            uint32_t point = encoding->point[i];
            if (!formula->mentioned[point])
                continue;
            if (previous != SER_TASK_NONE)
                ser_formula_clause(formula, ser_formula_before(formula, previous, point));
            previous = point;
        }
    }
}

void ser_encode_order(ser_encoding *encoding)
{
    ser_formula *formula = &encoding->formula;
    uint32_t count = (uint32_t)encoding->task->steps.count;
    SER_VECTOR(question) questions = {0};
    uint32_t *step_at = ser_alloc((size_t)count + 1, sizeof *step_at);
    for (uint32_t i = 0; i < count; i++)
        step_at[encoding->point[i]] = i;
    for (uint32_t i = 0; i < formula->atoms.count; i++) {
        const ser_atom *atom = &formula->atoms.items[i];
        if (atom->kind != SER_ATOM_BEFORE || atom->left >= count)
            continue;
        uint32_t left = step_at[atom->left], right = step_at[atom->right];
        question one = {left, ser_encoding_step(encoding, right)->thread, right, 2 * i + 1};
        question two = {right, ser_encoding_step(encoding, left)->thread, left, 2 * i};
        ser_vector_push(&questions, one);
        ser_vector_push(&questions, two);
    }
    if (questions.count)
        qsort(questions.items, questions.count, sizeof *questions.items, by_other);
    for (size_t i = 1; i < questions.count; i++) {
        const question *a = &questions.items[i - 1], *b = &questions.items[i];
        if (a->about == b->about && a->thread == b->thread)
            ser_formula_clause(formula, ser_not(a->before), b->before);
    }
    ser_vector_free(&questions);
    free(step_at);
    encode_places(encoding);
}
