/* SPDX-License-Identifier: MIT */
/*
 * frozen.h - parallel mode: memory that cannot be written.
 *
 * Constants, tables of virtual functions, files that are mapped for reading: all threads read them,
 * which need not be recorded, since reads do not conflict. So a line of such memory is frozen:
 * every thread elides reads of it, without a lock, and no stamp is kept (owners.h). Should
 * something be written there after all, because the program has made the memory writable, the line
 * is thawed first: as when it is taken from an owner, but from all threads, and as if they all had
 * read every word of it just now.
 */
#ifndef SER_RUNTIME_ELIDE_FROZEN_H
#define SER_RUNTIME_ELIDE_FROZEN_H

#include "runtime/core/core.h"

/* The memory has just been mapped for reading. */
void ser_freeze(uintptr_t address, size_t size);
/* It is about to be unmapped: whatever comes there is not frozen. */
void ser_unfreeze(uintptr_t address, size_t size);
/* The line of the address is frozen no more, nor are those of its page. The thread has no line
 * locked. */
void ser_thaw(ser_thread *me, uintptr_t address);
/* Freezes what the program and its libraries have for reading only. */
void ser_freeze_constants(void);

#endif
