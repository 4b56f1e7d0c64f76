/* SPDX-License-Identifier: MIT */
/*
 * causes.h - bugs in different code that have one cause: the same data is used in the same kind of
 * block. Ten functions that increment one counter without a lock are one mistake, which 45 pairs of
 * them show. What is marked as atomic has a name, and is a bug of its own, unless it and
 * another one come between each other (sides.h).
 */
#ifndef SER_BUGS_CAUSES_H
#define SER_BUGS_CAUSES_H

#include "bugs/bugs.h"

bool ser_bugs_have_one_cause(const ser_bug *bug, const ser_bug *other);

/* Moves each bug of the list that has the cause of an earlier one to its others. O(n^2). */
void ser_bugs_fold_causes(ser_bugs *bugs);

#endif
