/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the door of src/record/memory: which bytes are which variable.
 *
 *     objects.h     which object an address belongs to at this moment of the run
 *     cuts.h        the cells that all accesses cut an object into: the variables
 *     sharing.h     which of them more than one thread accessed
 *     users.h       which objects more than one thread accessed
 *     handovers.h   which locks are not used as locks
 *     word_locks.h  which variables are used as locks
 *     recall.h      a cache of what was looked up for an address
 *
 * Other folders include this header alone. A kind of program whose variables are not bytes at
 * addresses brings its own.
 */
#ifndef SER_RECORD_MEMORY_MEMORY_H
#define SER_RECORD_MEMORY_MEMORY_H

#include "record/memory/cuts.h"
#include "record/memory/handovers.h"
#include "record/memory/objects.h"
#include "record/memory/recall.h"
#include "record/memory/sharing.h"
#include "record/memory/users.h"
#include "record/memory/word_locks.h"

#endif
