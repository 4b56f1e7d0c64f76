/* SPDX-License-Identifier: MIT */
/*
 * The printer is our own: what Z3 prints of a formula moves terms across the
 * inequality, and other solvers refuse that in QF_IDL.
 */
#include "predict/smt/formula/smtlib.h"

#include <stdarg.h>
#include <stdio.h>

void ser_text_print(ser_text *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof piece)
        length = sizeof piece - 1;
    ser_vector_reserve(text, text->count + (size_t)length);
    memcpy(text->items + text->count, piece, (size_t)length);
    text->count += (size_t)length;
}

unsigned ser_smtlib_bits(const ser_formula *formula)
{
    uint64_t places = 1;
    unsigned bits = 1;
    for (uint32_t point = 0; point < formula->points; point++)
        places += formula->mentioned[point];
    while ((uint64_t)1 << bits < places)
        bits++;
    return bits;
}

static char letter_of(ser_atom_kind kind)
{
    switch (kind) {
    case SER_ATOM_HAPPENS:
        return 'h';
    case SER_ATOM_WRITES:
        return 'w';
    case SER_ATOM_UNBROKEN:
        return 'u';
    case SER_ATOM_REACHED:
        return 'r';
    default:
        return 'a';
    }
}

static void write_step(ser_text *text, const ser_task_step *step, uint32_t number)
{
    static const char *const accesses[] = {"", " reads", " writes", " reads and writes"};
    static const char *const actions[] = {"",        " acquires",      " releases",
                                          " shares", " stops sharing", " fails to acquire"};
    ser_text_print(text, "; %u: event %u, thread %u%s", number, step->event, step->thread,
                   step->in_block ? ", block" : "");
    if (step->access)
        ser_text_print(text, ",%s variable %u", accesses[step->access], step->variable);
    if (step->action)
        ser_text_print(text, ",%s lock %u", actions[step->action], step->lock);
    ser_text_print(text, "\n");
}

static void write_header(ser_text *text, const ser_task *task, const uint32_t *point, bool bits)
{
    ser_text_print(text, "; Can the block of event %u be violated? sat: it can.\n",
                   task->steps.items[task->first_block_step].event);
    for (uint32_t i = 0; i < task->steps.count; i++)
        write_step(text, &task->steps.items[i], point[i]);
    ser_text_print(text, "(set-option :produce-models true)\n(set-logic %s)\n",
                   bits ? "QF_BV" : "QF_IDL");
}

static void write_declarations(ser_text *text, const ser_formula *formula, bool bits)
{
    char sort[32] = "Int";
    if (bits)
        snprintf(sort, sizeof sort, "(_ BitVec %u)", ser_smtlib_bits(formula));
    for (uint32_t point = 0; point < formula->points; point++)
        if (formula->mentioned[point])
            ser_text_print(text, "(declare-fun x%u () %s)\n", point, sort);
    for (size_t i = 0; i < formula->atoms.count; i++) {
        const ser_atom *atom = &formula->atoms.items[i];
        if (ser_atom_is_boolean(atom))
            ser_text_print(text, "(declare-fun %c%u () Bool)\n", letter_of(atom->kind), atom->left);
    }
}

static void write_literal(ser_text *text, const ser_formula *formula, ser_literal literal,
                          bool bits)
{
    const ser_atom *atom = &formula->atoms.items[literal / 2];
    const char *open = literal & 1 ? "(not " : "", *close = literal & 1 ? ")" : "";
    if (atom->kind == SER_ATOM_ALL) {
        ser_text_print(text, " (and");
        for (uint32_t i = atom->left; i < atom->right; i++)
            write_literal(text, formula, formula->parts.items[i], bits);
        ser_text_print(text, ")");
    } else if (atom->kind == SER_ATOM_BEFORE) {
        ser_text_print(text, " %s(%s x%u x%u)%s", open, bits ? "bvult" : "<", atom->right,
                       atom->left, close);
    } else {
        ser_text_print(text, " %s%c%u%s", open, letter_of(atom->kind), atom->left, close);
    }
}

static void write_clauses(ser_text *text, const ser_formula *formula, bool bits)
{
    size_t start = 0;
    for (size_t clause = 0; clause < formula->ends.count; clause++) {
        size_t end = formula->ends.items[clause];
        ser_text_print(text, "(assert%s", end - start > 1 ? " (or" : "");
        for (size_t i = start; i < end; i++)
            write_literal(text, formula, formula->literals.items[i], bits);
        ser_text_print(text, "%s%s)\n", end == start ? " false" : "", end - start > 1 ? ")" : "");
        start = end;
    }
}

void ser_smtlib_write(ser_text *text, const ser_task *task, const uint32_t *point,
                      const ser_formula *formula, bool bits)
{
    write_header(text, task, point, bits);
    write_declarations(text, formula, bits);
    write_clauses(text, formula, bits);
    ser_text_print(text, "(check-sat)\n");
}

void ser_smtlib_ask_values(ser_text *text, const ser_formula *formula)
{
    ser_text_print(text, "(get-value (");
    for (uint32_t point = 0; point < formula->points; point++)
        if (formula->mentioned[point])
            ser_text_print(text, "x%u ", point);
    for (size_t i = 0; i < formula->atoms.count; i++)
        if (formula->atoms.items[i].kind == SER_ATOM_HAPPENS)
            ser_text_print(text, "h%u ", formula->atoms.items[i].left);
    ser_text_print(text, "))\n");
}
