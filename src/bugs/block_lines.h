/* SPDX-License-Identifier: MIT */
/*
 * block_lines.h - at which lines of its own function a block does what shows its violation.
 *
 * What a block accesses by functions that it calls is told apart by the lines of these calls: a
 * lock from the first of them to the last would fix it.
 */
#ifndef SER_BUGS_BLOCK_LINES_H
#define SER_BUGS_BLOCK_LINES_H

#include "bugs/bugs.h"

/* Fills in the lines of the block's accesses. The innermost call that makes all of these; 0: there
 * is none. O(accesses x events of a thread). */
uint32_t ser_bug_find_lines(ser_bug *bug, const ser_run *run);

#endif
