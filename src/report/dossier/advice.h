/* SPDX-License-Identifier: MIT */
/*
 * advice.h - what to change in the code, for the owner of a program.
 */
#ifndef SER_REPORT_DOSSIER_ADVICE_H
#define SER_REPORT_DOSSIER_ADVICE_H

#include "report/dossier/dossier.h"

/* "in sell(), hold lock from the call of get() (line 20) to the call of set() (line 22), not in
 * each of them alone": of a violation that the picture shows; location: that of the block, whose
 * file is not named again. *lock: the name of the
 * lock that the block is to hold for longer, NULL: none. *in_section: the block held a lock from
 * its first access to its last, and others did not. NULL if there is nothing to say. Not
 * escaped. Both to be freed. */
char *ser_make_advice(const ser_picture *picture, const char *location, bool is_assignment,
                      char **lock, bool *in_section);

#endif
