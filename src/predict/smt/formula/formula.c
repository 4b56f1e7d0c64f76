/* SPDX-License-Identifier: MIT */
/*
 * Clauses lie one behind another in a single array. Atoms that compare points are
 * found again through a hash table with open addressing, so that the same question
 * is never two atoms.
 */
#include "predict/smt/formula/formula.h"

#include "base/status.h"

void ser_formula_init(ser_formula *formula, uint32_t points)
{
    *formula = (ser_formula){.points = points};
    formula->mentioned = ser_alloc((size_t)points + 1, sizeof *formula->mentioned);
    ser_vector_push(&formula->atoms, ((ser_atom){.kind = SER_ATOM_CONSTANT}));
}

void ser_formula_fini(ser_formula *formula)
{
    ser_vector_free(&formula->atoms);
    ser_vector_free(&formula->parts);
    ser_vector_free(&formula->literals);
    ser_vector_free(&formula->ends);
    ser_vector_free(&formula->deferred);
    free(formula->mentioned);
    free(formula->pairs.atoms);
}

static uint32_t add_atom(ser_formula *formula, ser_atom atom)
{
    ser_vector_push(&formula->atoms, atom);
    return (uint32_t)formula->atoms.count - 1;
}

ser_literal ser_formula_boolean(ser_formula *formula, ser_atom_kind kind, uint32_t about)
{
    if (kind == SER_ATOM_HELPER)
        about = (uint32_t)formula->atoms.count;
    return 2 * add_atom(formula, (ser_atom){.kind = kind, .left = about});
}

static size_t hash_pair(const ser_formula *formula, uint32_t left, uint32_t right)
{
    uint64_t key = (uint64_t)left << 32 | right;
    key *= 0x9e3779b97f4a7c15u;
    return (key ^ key >> 32) & (formula->pairs.capacity - 1);
}

/* The place in the table where the atom is or belongs. */
static uint32_t *slot_of(const ser_formula *formula, uint32_t left, uint32_t right)
{
    size_t slot = hash_pair(formula, left, right);
    for (;; slot = (slot + 1) & (formula->pairs.capacity - 1)) {
        uint32_t number = formula->pairs.atoms[slot];
        const ser_atom *atom = &formula->atoms.items[number];
        if (!number || (atom->left == left && atom->right == right))
            return &formula->pairs.atoms[slot];
    }
}

static void grow_pairs(ser_formula *formula)
{
    uint32_t *old = formula->pairs.atoms;
    size_t old_capacity = formula->pairs.capacity;
    formula->pairs.capacity = old_capacity ? 2 * old_capacity : 64;
    formula->pairs.atoms = ser_alloc(formula->pairs.capacity, sizeof *formula->pairs.atoms);
    for (size_t i = 0; i < old_capacity; i++) {
        const ser_atom *atom = &formula->atoms.items[old[i]];
        if (old[i])
            *slot_of(formula, atom->left, atom->right) = old[i];
    }
    free(old);
}

ser_literal ser_formula_before(ser_formula *formula, uint32_t a, uint32_t b)
{
    if (a == b)
        return SER_FALSE;
    uint32_t left = a < b ? a : b, right = a < b ? b : a;
    if (2 * formula->pairs.count >= formula->pairs.capacity)
        grow_pairs(formula);
    uint32_t *slot = slot_of(formula, left, right);
    if (!*slot) {
        *slot = add_atom(formula, (ser_atom){SER_ATOM_BEFORE, left, right});
        formula->pairs.count++;
        formula->mentioned[left] = formula->mentioned[right] = true;
    }
    return 2 * *slot + (a < b);
}

/* Is the literal in the clause that starts there? Long clauses are not searched. */
static bool has_literal(const ser_formula *formula, size_t start, ser_literal literal)
{
    enum { LONG = 16 };
    size_t end = formula->literals.count;
    for (size_t i = start; i < end && end - start <= LONG; i++)
        if (formula->literals.items[i] == literal)
            return true;
    return false;
}

void ser_formula_add(ser_formula *formula, const ser_literal *literals, size_t count)
{
    size_t start = formula->literals.count;
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == SER_TRUE || has_literal(formula, start, ser_not(literals[i]))) {
            formula->literals.count = start;
            return;
        }
        if (literals[i] != SER_FALSE && !has_literal(formula, start, literals[i]))
            ser_vector_push(&formula->literals, literals[i]);
    }
    if (formula->literals.count == start)
        formula->contradiction = true;
    ser_vector_push(&formula->ends, formula->literals.count);
    ser_vector_push(&formula->deferred, formula->defer);
}

ser_literal ser_formula_all(ser_formula *formula, const ser_literal *literals, size_t count)
{
    uint32_t start = (uint32_t)formula->parts.count;
    ser_check(count <= SER_FORMULA_PARTS);
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == SER_FALSE) {
            formula->parts.count = start;
            return SER_FALSE;
        }
        if (literals[i] != SER_TRUE)
            ser_vector_push(&formula->parts, literals[i]);
    }
    uint32_t end = (uint32_t)formula->parts.count;
    if (end - start > 1)
        return 2 * add_atom(formula, (ser_atom){SER_ATOM_ALL, start, end});
    formula->parts.count = start;
    return end == start ? SER_TRUE : formula->parts.items[start];
}

size_t ser_formula_size(const ser_formula *formula)
{
    return formula->atoms.capacity * sizeof *formula->atoms.items +
           formula->parts.capacity * sizeof *formula->parts.items +
           formula->literals.capacity * sizeof *formula->literals.items +
           formula->ends.capacity * (sizeof *formula->ends.items + sizeof(bool)) +
           formula->pairs.capacity * sizeof *formula->pairs.atoms + formula->points;
}
