/* SPDX-License-Identifier: MIT */
/*
 * checker/texts.h - inside of the checker: the parts of the texts of reads and writes
 * (contract/guards.def), "@17;$17=$17:1:0,@17,add32;!$17,50,sge32": a key, what a round of a loop
 * makes of registers, and guards.
 */
#ifndef SER_WITNESS_CHECKER_TEXTS_H
#define SER_WITNESS_CHECKER_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* Does it begin with a key alone? */
bool ser_checker_has_key(const char *text);

/* What is behind the key. */
const char *ser_checker_behind_key(const char *text);

/* The guards, behind the key and what an update writes, or a round makes of registers. */
const char *ser_checker_guards_in(const char *text);

/* If the text begins with what is made of a register: the expression for it; else NULL. */
const char *ser_checker_round(const char *text, uint64_t *number);

/* What comes behind all of these, of a text without key. */
const char *ser_checker_behind_rounds(const char *text);

/* What the text makes of that register; NULL: nothing. */
const char *ser_checker_round_of(const char *text, uint64_t number);

/* The next register before `end` that is named with a value of an earlier round; the text behind
 * it, or NULL if there is none. */
const char *ser_checker_next_register(const char *text, const char *end, uint64_t *number);

#endif
