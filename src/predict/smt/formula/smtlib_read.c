/* SPDX-License-Identifier: MIT */
/*
 * A solver answers get-value with ((x1 5) (x2 (- 3)) (h1 true) ...), a bit-vector is #b0101, #x5 or
 * (_ bv5 4). We look for "(NAME VALUE" and ignore the rest, so line breaks and comments in between
 * do no harm (ser_smtlib_read_values).
 */
#include "predict/smt/formula/smtlib.h"

#include <ctype.h>
#include <errno.h>

static const char *skip_spaces(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static bool read_number(const char **text, int base, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(*text, &end, base);
    bool good = end != *text && errno == 0 && isalnum((unsigned char)**text);
    *text = end;
    return good;
}

static bool read_place(const char *text, int64_t *place)
{
    if (strncmp(text, "#b", 2) == 0 || strncmp(text, "#x", 2) == 0) {
        const char *digits = text + 2;
        return read_number(&digits, text[1] == 'b' ? 2 : 16, place);
    }
    if (strncmp(text, "(_ bv", 5) == 0) {
        text += 5;
        return read_number(&text, 10, place);
    }
    if (*text != '(')
        return isdigit((unsigned char)*text) && read_number(&text, 10, place);
    text = skip_spaces(text + 1);
    if (*text != '-')
        return false;
    text = skip_spaces(text + 1);
    bool good = read_number(&text, 10, place);
    *place = -*place;
    return good;
}

static bool read_truth(const char *text, bool *truth)
{
    *truth = strncmp(text, "true", 4) == 0;
    return *truth || strncmp(text, "false", 5) == 0;
}

/* Values that are still missing: places of points, atoms of steps that happen. */
typedef struct expected {
    const ser_formula *formula;
    uint32_t *happens; /* by step: its atom; 0: it has none */
    bool *answered;    /* by point */
    size_t missing;
} expected;

static void list_expected(expected *wanted, const ser_formula *formula)
{
    wanted->formula = formula;
    wanted->happens = ser_alloc((size_t)formula->points + 1, sizeof *wanted->happens);
    wanted->answered = ser_alloc((size_t)formula->points + 1, sizeof *wanted->answered);
    wanted->missing = 0;
    for (uint32_t point = 0; point < formula->points; point++)
        wanted->missing += formula->mentioned[point];
    for (uint32_t i = 0; i < formula->atoms.count; i++) {
        const ser_atom *atom = &formula->atoms.items[i];
        if (atom->kind != SER_ATOM_HAPPENS)
            continue;
        wanted->happens[atom->left] = i;
        wanted->missing++;
    }
}

/* Reads "x7 5" or "h7 true". False if it is neither, or is a repetition. */
static bool read_pair(expected *wanted, const char *text, ser_smt_model *model)
{
    char letter = *text++;
    int64_t number;
    if (!isdigit((unsigned char)*text) || !read_number(&text, 10, &number) ||
        number >= wanted->formula->points)
        return false;
    text = skip_spaces(text);
    if (letter == 'x' && wanted->formula->mentioned[number] && !wanted->answered[number]) {
        wanted->answered[number] = true;
        return read_place(text, &model->place[number]);
    }
    uint32_t atom = wanted->happens[number];
    if (letter != 'h' || !atom)
        return false;
    wanted->happens[number] = 0;
    return read_truth(text, &model->truth[atom]);
}

bool ser_smtlib_read_values(const char *answer, const ser_formula *formula, ser_smt_model *model)
{
    expected wanted;
    list_expected(&wanted, formula);
    for (const char *text = strchr(answer, '('); text; text = strchr(text + 1, '(')) {
        const char *name = skip_spaces(text + 1);
        if ((*name == 'x' || *name == 'h') && read_pair(&wanted, name, model))
            wanted.missing--;
    }
    free(wanted.happens);
    free(wanted.answered);
    return wanted.missing == 0;
}
