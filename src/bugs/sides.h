/* SPDX-License-Identifier: MIT */
/*
 * sides.h - one block of code that is violated in several ways, each of them seen.
 *
 * A function that looks at a table and fills it later is interrupted between these two, and also
 * between two counters that happen to stand there. One lock fixes both. Only if
 * data, lines and what the program did are all different they may be two bugs, and stay two. Those
 * that the same change fixes are one, whatever their blocks are, and so are a function and
 * a round of its loop. The same holds for a check and an act whose check, or act, is not even
 * atomic by itself.
 */
#ifndef SER_BUGS_SIDES_H
#define SER_BUGS_SIDES_H

#include "bugs/bugs.h"

/* Kind, name, function and place: are the blocks the same code? */
bool ser_bugs_have_one_block(const ser_bug *bug, const ser_bug *other);
bool ser_bugs_have_common_variable(const ser_bug *bug, const ser_bug *other);

/* Moves each bug of the list that is seen in the block of an earlier one to its others. The
 * clearest of them has the entry: the one with the fewest variables, where what was read is
 * overwritten. O(n^2). */
void ser_bugs_fold_sides(ser_bugs *bugs);

#endif
