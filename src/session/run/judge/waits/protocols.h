/* SPDX-License-Identifier: MIT */
/*
 * protocols.h - functions by which threads agree, over atomic variables, who may go on.
 *
 *     atomic_store(&x, me);
 *     if (atomic_load(&y)) ...       waits for y, begins anew
 *     atomic_store(&y, me);
 *     if (atomic_load(&x) != me) ... another one came: waits
 *
 * Lamport's fast mutex. A call of a function with a loop that writes a variable, and looks
 * afterwards whether it is still the same, expects others in between. Whether such a lock is right
 * is told by the data that it protects. A limit: calls of more than some hundred steps are not
 * looked through.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_PROTOCOLS_H
#define SER_SESSION_RUN_JUDGE_WAITS_PROTOCOLS_H

#include "order/run.h"

/* Is the variable loaded or stored atomically in such a call? O(events). */
bool ser_is_agreed_upon(const ser_run *run, uint32_t variable);

/* Of a block of the run and the path by which it is violated: are all of these atomic loads and
 * stores of variables by which calls agree in that way, and do the block's loads decide only? The
 * calls may be in another run only, `first`, or NULL. O(events). */
bool ser_is_protocol(const ser_run *run, uint32_t block, const uint32_t *events, size_t count,
                     const ser_run *first);

#endif
