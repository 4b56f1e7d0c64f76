/* SPDX-License-Identifier: MIT */
/*
 * choices.h - values that a branch chooses right before: "if (c) a = b;" or "c ? a : b".
 */
#ifndef SER_INSTRUMENT_CODE_CHOICES_H
#define SER_INSTRUMENT_CODE_CHOICES_H

#include "instrument/unit.h"

typedef struct ser_choice {
    LLVMValueRef condition;
    LLVMValueRef values[2]; /* if it holds, and if not */
} ser_choice;

/* False: it is another kind of phi. */
bool ser_choice_of_phi(LLVMValueRef phi, ser_choice *choice);

/* The same of a load of a local variable, which is a phi with optimisation. */
bool ser_choice_of_local(LLVMValueRef load, ser_choice *choice);

/* Does a branch choose which of two variables is written: "ok ? granted++ : refused++"? */
bool ser_chooses_variable(LLVMValueRef branch);

#endif
