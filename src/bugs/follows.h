/* SPDX-License-Identifier: MIT */
/*
 * follows.h - bugs that happen only because another one has happened before.
 *
 * A home-made lock that two threads get at once lets everything go wrong that it protects. If the
 * replay that shows a violation also shows another one that was complete before, and the recorded
 * run had neither, then the one follows from the other (session/run/judge/origin.h), and is
 * reported with it.
 */
#ifndef SER_BUGS_FOLLOWS_H
#define SER_BUGS_FOLLOWS_H

#include "bugs/bugs.h"

/* Is it the key of the entry, of a side of it, or of one of its others? */
bool ser_bug_has_key(const ser_bug *entry, const char *key);

/* The bug, and its others, become others of the entry. */
void ser_bug_tell_with(ser_bug *entry, ser_bug *bug);

/* Moves bugs that follow from another one to the others of that one. */
void ser_bugs_fold_followers(ser_bugs *bugs);

#endif
