/* SPDX-License-Identifier: MIT */
/*
 * carried.h - values that a loop carries from round to round: sums, counts, checksums.
 *
 * Each round computes a `step` from what the round before left (a phi) and from loads. No
 * expression over single reads says what comes out, since it is not known how many rounds there
 * are. So the value has a register in the trace: the last load of the step (`load`) sets it,
 * "$17=$17:p:0,v,add32" (contract/guards.def), and stores and guards name it. Several phis may pass
 * the value on, as those of nested loops do; before the first round all of them have the `initial`
 * value.
 *
 * Wherever a phi is used, it must have what the load's last execution made of it. That is so if
 *
 *   each execution of the step comes after one of the load, with the phi's block between it and the
 *   step before (two searches in the control flow), and
 *   no way leads from the load to a use of a phi, other than for the step, without a pass through
 *   the block of that phi, which makes it anew.
 *
 * Whether there has been a round at all, each phi has a second phi for, the flag, which is recorded
 * before accesses whose texts name the register.
 */
#ifndef SER_INSTRUMENT_GUARDS_CARRIED_H
#define SER_INSTRUMENT_GUARDS_CARRIED_H

#include "instrument/code/followed.h"

typedef struct ser_carried {
    uint64_t number;      /* of the register */
    LLVMValueRef step;    /* what a round leaves */
    LLVMValueRef initial; /* before the first: a constant or parameter */
    LLVMValueRef load;    /* of those that the step is computed from, the last one */
    LLVMValueRef used;    /* the phi that the step is computed from; NULL: none */
    bool is_by_way;       /* rounds that go another way leave the value as it was */
    ser_values phis;
    ser_values flags; /* of each phi; made when it is needed */
    ser_values loads; /* that the step is computed from */
    ser_values inner; /* what is computed for the step and nothing else */
} ser_carried;

/* Finds those of the function, whose loads are known. */
void ser_carried_find(ser_followed *followed);
void ser_carried_fini(ser_followed *followed);

/* Do the conditions above hold? (carried_ways.c) */
bool ser_carried_is_kept(const ser_carried *carried);

bool ser_values_have(const ser_values *values, LLVMValueRef value);

/* That the value is a phi or the step of, if all its loads are followed; NULL: none. */
const ser_carried *ser_carried_of(const ser_followed *followed, LLVMValueRef value);

/* Into whose step the value goes by that use, if the load takes part in it; NULL: none. */
const ser_carried *ser_carried_into(const ser_followed *followed, LLVMValueRef user,
                                    LLVMValueRef value, LLVMValueRef load);

/* Are all its loads followed? */
bool ser_carried_is_followed(const ser_carried *carried, const ser_followed *followed);

/* Is the value one of its phis? */
bool ser_carried_passes(const ser_carried *carried, LLVMValueRef value);

/* Can no further round of the same value come after the instruction? */
bool ser_carried_is_over(const ser_carried *carried, LLVMValueRef at);

/* Does the access come before all rounds, and is it made again before others begin? Then what it
 * is compared with, where there is no round, is the initial value. */
bool ser_carried_starts_behind(const ser_carried *carried, const ser_followed *followed,
                               LLVMValueRef access);

/* Does a text name a register that the load has a part in? */
bool ser_carried_names(const ser_followed *followed, const char *text, LLVMValueRef load);

/* Is each read that the text names, but for that of the carried value, before its load? Else the
 * text belongs to one that comes later. */
bool ser_carried_is_last(const ser_carried *carried, const ser_followed *followed,
                         const char *text);

/* The value, which is carried, as a word of the text. (words.c) */
bool ser_express_carried(ser_expression *to, const ser_followed *followed,
                         const ser_carried *carried, LLVMValueRef value);

/* "$17=...": what each execution of the load makes of it; more than one if it is in several. */
bool ser_express_rounds(ser_expression *to, const ser_followed *followed, LLVMValueRef load,
                        const ser_operands *operands);

#endif
