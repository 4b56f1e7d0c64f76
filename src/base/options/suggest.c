/* SPDX-License-Identifier: MIT */
/*
 * The distance is that of Damerau and Levenshtein (optimal string alignment),
 * by the usual table of which three rows are kept. A candidate is near if one
 * edit in three characters leads to it, or if the word is the start of it.
 */
#include "base/options/suggest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 }; /* names of options and commands are shorter */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ser_edit_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return rows + columns;

    size_t table[3][LONGEST + 1]; /* row i lies in table[i % 3] */
    for (size_t j = 0; j <= columns; j++)
        table[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *row = table[i % 3], *above = table[(i + 2) % 3], *two_above = table[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return table[rows % 3][columns];
}

void ser_suggest(ser_suggestion *best, const char *word, const char *candidate)
{
    size_t length = strlen(word);
    bool is_start = length > 1 && strncmp(word, candidate, length) == 0;
    size_t distance = is_start ? 0 : ser_edit_distance(word, candidate);
    if (distance > (length + 2) / 3 || distance >= length)
        return;
    if (!best->word || distance < best->distance)
        *best = (ser_suggestion){candidate, distance};
}
