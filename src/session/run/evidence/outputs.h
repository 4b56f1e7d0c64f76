/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - what a program printed in two runs, as files.
 */
#ifndef SER_SESSION_RUN_EVIDENCE_OUTPUTS_H
#define SER_SESSION_RUN_EVIDENCE_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends to the text how the two differ, if they do. */
void ser_compare_outputs(const char *before, const char *after, char *text, size_t size);

/* The last line of a file that is not empty, shortened; NULL: there is none. To be freed. */
char *ser_last_line(const char *path);

/* A number for the lines of a file, in whatever order. False if it cannot be read. */
bool ser_sum_lines(const char *path, uint64_t *sum);

/* Have they the same lines, perhaps in another order? False if one cannot be read. */
bool ser_have_same_lines(const char *before, const char *after);

/* Do they differ only in kinds of lines, digits aside, that are others in each of some usual
 * outputs (lines with times, for one), and, if there are many outputs,
 * as many in one of these as in `after`? */
bool ser_differ_unsteadily(const char *const *usual, size_t count, const char *before,
                           const char *after);

/* Or at least the same words? */
bool ser_have_same_words(const char *before, const char *after);

#endif
