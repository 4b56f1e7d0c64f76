/* SPDX-License-Identifier: MIT */
/*
 * loop_values.h - values that a loop carries from round to round (contract/guards.def):
 * "$17=$17:1:0,v, add32" is the text of a read in a loop that adds up what it reads.
 *
 * Expressions that name a register are taken apart: what each round since the first made of it
 * comes before them, so that they are over reads alone, and nothing else need know of registers.
 * A guard that counts in the last round only ("!") is left out in the others.
 *
 * Memory: one entry for each read that sets a register, and for each event that names one the
 * expression of all rounds, at most SER_MOST_KEYS reads.
 */
#ifndef SER_PREDICT_VALUES_LOOP_VALUES_H
#define SER_PREDICT_VALUES_LOOP_VALUES_H

#include "base/pairmap.h"
#include "order/run.h"
#include "symbolic/guards.h"

/* What a text makes of registers. */
typedef struct ser_loop_text {
    uint64_t registers[SER_MOST_REGISTERS];
    ser_guards code[SER_MOST_REGISTERS];
    unsigned count;
} ser_loop_text;

/* What one read made of one register. */
typedef struct ser_loop_step {
    const ser_guards *code;
    uint32_t event;
    uint32_t before;    /* 1 + the round before; 0: it is the first */
    uint32_t first_ref; /* of `refs`: as many as its code has keys */
    uint32_t reads;     /* of all rounds up to this one */
} ser_loop_step;

typedef struct ser_loop_values {
    SER_VECTOR(ser_loop_text) texts; /* by number of the text */
    SER_VECTOR(ser_loop_step) rounds;
    SER_VECTOR(uint32_t) refs; /* events */
    ser_pairmap latest;        /* thread and register -> 1 + the last round */
    SER_VECTOR(ser_guards) expanded;
    uint32_t *expanded_of; /* by event: 1 + its expression; 0: that of its text; NULL: no event has
                              one */
    bool *goes_on;         /* by event that sets registers: another round of each follows */
} ser_loop_values;

/* "$17=$17:1:0,v,add32;v,0,sgt32": takes what it makes of registers; where the guards begin, or
 * NULL if that cannot be understood. */
const char *ser_loop_values_parse(ser_loop_values *rounds, uint32_t text, const char *guards);

/* Once all texts are parsed: which rounds are the last. */
void ser_loop_values_look_ahead(ser_loop_values *rounds, const ser_run *run);

void ser_loop_values_fini(ser_loop_values *rounds);

/* The last round of a register in a thread; 0: none, else 1 + its index. */
uint32_t ser_loop_values_latest(const ser_loop_values *rounds, uint32_t thread, uint64_t number);

/* Notes what the round's event made of a register. */
void ser_loop_values_add(ser_loop_values *rounds, const ser_loop_step *round, uint32_t thread,
                         uint64_t number);

/* Reads that the expression is over if it is taken apart; more than SER_MOST_KEYS: too many, or one
 * has no round. */
size_t ser_loop_values_count(const ser_loop_values *rounds, uint32_t thread,
                             const ser_guards *code);

/* Takes the expressions of an event apart; `refs` are the events of the keys of the code, the
 * events of the result are appended to `all`. */
void ser_loop_values_expand(ser_loop_values *rounds, const ser_event *event, uint32_t number,
                            const ser_guards *code, const uint32_t *refs, ser_event_list *all);

#endif
