/* SPDX-License-Identifier: MIT */
#include "predict/smt/formula/model.h"

void ser_smt_model_init(ser_smt_model *model, const ser_formula *formula)
{
    model->truth = ser_alloc(formula->atoms.count, sizeof *model->truth);
    model->place = ser_alloc((size_t)formula->points + 1, sizeof *model->place);
}

void ser_smt_model_fini(ser_smt_model *model)
{
    free(model->truth);
    free(model->place);
}

static bool holds(const ser_smt_model *model, const ser_formula *formula, ser_literal literal)
{
    const ser_atom *atom = &formula->atoms.items[literal / 2];
    bool truth = true;
    switch (atom->kind) {
    case SER_ATOM_CONSTANT:
        break;
    case SER_ATOM_BEFORE:
        truth = model->place[atom->right] < model->place[atom->left];
        break;
    case SER_ATOM_ALL:
        for (uint32_t i = atom->left; i < atom->right && truth; i++)
            truth = holds(model, formula, formula->parts.items[i]);
        break;
    default:
        truth = model->truth[literal / 2];
    }
    return truth != (literal & 1);
}

bool ser_smt_model_satisfies(const ser_smt_model *model, const ser_formula *formula, size_t clause)
{
    size_t start = clause ? formula->ends.items[clause - 1] : 0;
    for (size_t i = start; i < formula->ends.items[clause]; i++)
        if (holds(model, formula, formula->literals.items[i]))
            return true;
    return false;
}
