/* SPDX-License-Identifier: MIT */
/*
 * owners.h - what a thread does with memory after it has dropped the last reference to it.
 *
 * A thread that brings a count of references to zero is alone with what was counted: nobody else
 * can reach it any more. Destructors then look at what others have left there, and free it. That is
 * how it must be, whatever the function was about that happened to drop its reference last.
 */
#ifndef SER_SESSION_RUN_SURVEY_OWNERS_H
#define SER_SESSION_RUN_SURVEY_OWNERS_H

#include "order/run.h"

/* By event: is it an access, or a free, of memory to which its thread has dropped the last
 * reference, before it returns from the function that did so? To be freed. O(events). */
bool *ser_last_owners_find(const ser_run *run);

#endif
