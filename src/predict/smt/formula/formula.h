/* SPDX-License-Identifier: MIT */
/*
 * formula.h - a formula in clauses, over booleans and the order of points. Literals
 * of a clause may be conjunctions.
 *
 * A point is a moment; a model gives every point an integer, its place. There is one atom for two
 * points a < b: "the place of b is less than that of a", b comes first. Its negation, place of a at
 * most place of b, stands for "a comes first". So in case of ties the point with the lesser number
 * comes first. Can the order of points that a model claims be circular? A circle has to go down in
 * number somewhere, there places grow, and nowhere do they shrink: no. Thus no further clauses are
 * needed to distinguish points, and each question "a or b first?" is one atom.
 *
 * Numbering points in an order that is known to be possible makes it cheap for a solver: with all
 * places 0 and all atoms false it has that order, and atoms that are true are the exceptions.
 *
 * Solvers see the formula through this structure only, so all of them see the same.
 * Memory: owned by the formula. Not thread-safe.
 */
#ifndef SER_PREDICT_SMT_FORMULA_FORMULA_H
#define SER_PREDICT_SMT_FORMULA_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef uint32_t ser_literal; /* 2 * atom, + 1 if it is negated */

/* Atom 0 is the constant. */
#define SER_TRUE  ((ser_literal)0)
#define SER_FALSE ((ser_literal)1)

static inline ser_literal ser_not(ser_literal literal)
{
    return literal ^ 1;
}

typedef enum ser_atom_kind {
    SER_ATOM_CONSTANT,
    SER_ATOM_BEFORE,   /* place of right < place of left; left < right */
    SER_ATOM_HAPPENS,  /* booleans about the step or transaction `left` */
    SER_ATOM_WRITES,   /* it is a read-modify-write that is not broken */
    SER_ATOM_UNBROKEN, /* it is a read or a failed try-acquire that is not broken */
    SER_ATOM_REACHED,  /* a path leads there from the block */
    SER_ATOM_HELPER,   /* stands for a part of the formula; left is its own number */
    SER_ATOM_ALL,      /* all of parts[left .. right) hold; never negated */
} ser_atom_kind;

typedef struct ser_atom {
    ser_atom_kind kind;
    uint32_t left, right;
} ser_atom;

typedef struct ser_formula {
    SER_VECTOR(ser_atom) atoms;
    SER_VECTOR(ser_literal) parts;    /* of SER_ATOM_ALL; their atoms come before it */
    SER_VECTOR(ser_literal) literals; /* of all clauses */
    SER_VECTOR(size_t) ends;          /* clause c ends before literals[ends[c]] */
    SER_VECTOR(bool) deferred;        /* by clause: see defer */
    bool defer;                       /* clauses added now are numerous, and most hold anyway in
                                         a model of the others: a solver may look later */
    bool contradiction;               /* an empty clause was added */
    uint32_t points;
    bool *mentioned; /* points that occur in an atom; the others have no place */
    struct {
        uint32_t *atoms; /* numbers of BEFORE atoms, hashed by their points; 0: free */
        size_t count, capacity;
    } pairs;
} ser_formula;

void ser_formula_init(ser_formula *formula, uint32_t points);
void ser_formula_fini(ser_formula *formula);

/* A new boolean; for SER_ATOM_HELPER `about` is ignored. */
ser_literal ser_formula_boolean(ser_formula *formula, ser_atom_kind kind, uint32_t about);

/* Point a comes before point b. Expected O(1). */
ser_literal ser_formula_before(ser_formula *formula, uint32_t a, uint32_t b);

/* One of the literals holds. Constants and repetitions are taken out; what holds anyway
 * is not added. */
void ser_formula_add(ser_formula *formula, const ser_literal *literals, size_t count);

/* All of the literals hold, at most SER_FORMULA_PARTS. To be used in clauses, without
 * negation. */
enum { SER_FORMULA_PARTS = 8 };
ser_literal ser_formula_all(ser_formula *formula, const ser_literal *literals, size_t count);

/* The same with the literals written out. */
#define ser_formula_clause(formula, ...)                                                           \
    ser_formula_add((formula), (const ser_literal[]){__VA_ARGS__},                                 \
                    sizeof((const ser_literal[]){__VA_ARGS__}) / sizeof(ser_literal))
#define ser_formula_both(formula, a, b)                                                            \
    ser_formula_all((formula), (const ser_literal[]){(a), (b)}, 2)

static inline bool ser_atom_is_boolean(const ser_atom *atom)
{
    return atom->kind >= SER_ATOM_HAPPENS && atom->kind <= SER_ATOM_HELPER;
}

/* Bytes it takes. */
size_t ser_formula_size(const ser_formula *formula);

#endif
