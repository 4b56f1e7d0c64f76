/* SPDX-License-Identifier: MIT */
/*
 * pending.h - a write that was announced (TSan ABI), and whose value is not known yet.
 */
#ifndef SER_RUNTIME_ACCESS_PENDING_H
#define SER_RUNTIME_ACCESS_PENDING_H

#include "runtime/core/core.h"

/* Records a pending write, with the value that is there now. The thread has the token
 * and is inside, or the caller stands in for it. */
void ser_pending_write(ser_thread *me);

#endif
