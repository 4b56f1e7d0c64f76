/* SPDX-License-Identifier: MIT */
/*
 * versions.h - readers that read again what they have read while a version changed.
 *
 * A writer changes a version, the data, and the version once more. A reader looks at the version
 * first, and begins anew if it changed meanwhile, or if it says that a writer is at work (a
 * sequence lock). What such a reader has read in vain comes between the accesses of the writer's
 * block, and harms nobody: only the round that it does not repeat counts.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_VERSIONS_H
#define SER_SESSION_RUN_JUDGE_WAITS_VERSIONS_H

#include "order/run.h"

/* Is the access a read of such a round, in another thread than that of the block with that first
 * event: one that began with an atomic read of a variable that the block writes at least twice,
 * and that comes back to it before the thread does anything but read? O(events of the block). */
bool ser_is_read_in_vain(const ser_run *run, uint32_t begin, uint32_t access);

#endif
