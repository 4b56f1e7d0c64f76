/* SPDX-License-Identifier: MIT */
/*
 * ranges.h - inside of access/: a part of a range that the runtime does not access itself.
 */
#ifndef SER_RUNTIME_ACCESS_RANGES_H
#define SER_RUNTIME_ACCESS_RANGES_H

#include "runtime/core/core.h"

/* Records or elides it: in parallel mode by lines, else as a whole. goes_on: it is part of the
 * same operation as the thread's last one. The thread is inside and may write. */
void ser_range_record(ser_thread *me, int op, const char *address, size_t size, uint32_t site,
                      bool goes_on);

#endif
