/* SPDX-License-Identifier: MIT */
/*
 * checker/guards.h - inside of the checker: do the guards of a read let it get another value?
 *
 * Works on the text of the trace (docs/text-format.md), word by word, and shares nothing with what
 * predicts by guards.
 */
#ifndef SER_WITNESS_CHECKER_GUARDS_H
#define SER_WITNESS_CHECKER_GUARDS_H

#include <stdbool.h>
#include <stdint.h>

/* What the words of an expression stand for. */
typedef struct ser_checker_words {
    uint64_t value; /* v: what was read */
    /* @KEY: what the read with that key had; false: there is none. NULL: never is. */
    bool (*find)(const void *context, uint64_t key, uint64_t *value);
    /* $NUMBER: what the register has; false: that is not known. NULL: never is. */
    bool (*find_register)(const void *context, uint64_t number, uint64_t *value);
    const void *context;
    bool goes_on; /* guards that begin with ! are about a later round of a loop */
} ser_checker_words;

/* The one expression of a text; false if it has no result. */
bool ser_checker_evaluate(const char *text, const ser_checker_words *words, uint64_t *result);

/* The same of the first of several expressions. */
bool ser_checker_evaluate_first(const char *text, const ser_checker_words *words, uint64_t *result);

/* As ser_checker_guards_agree, but expressions with a key that has no read do not count: they are
 * about a read to come, which has them, too. The text may be empty. */
bool ser_checker_guards_keep(const char *text, const ser_checker_words *one,
                             const ser_checker_words *other);

/* Has each expression of the text a result for both values, and the same one? */
bool ser_checker_guards_agree(const char *text, uint64_t value, uint64_t other);

/* What comes behind "^1;" or "<5;", if the text begins so. */
const char *ser_checker_behind_releases(const char *text);

#endif
