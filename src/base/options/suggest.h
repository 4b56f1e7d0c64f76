/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - the word that was probably meant.
 */
#ifndef SER_BASE_OPTIONS_SUGGEST_H
#define SER_BASE_OPTIONS_SUGGEST_H

#include <stddef.h>

/* Single-character edits and swaps of neighbours between the words. */
size_t ser_edit_distance(const char *a, const char *b);

/*
 * Finds the nearest of several candidates, which are offered one by one:
 *
 *     ser_suggestion best = {0};
 *     for (...) ser_suggest(&best, word, candidate);
 *     if (best.word) ...
 */
typedef struct ser_suggestion {
    const char *word; /* NULL: none was near */
    size_t distance;
} ser_suggestion;

void ser_suggest(ser_suggestion *best, const char *word, const char *candidate);

#endif
