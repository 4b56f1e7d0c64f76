/* SPDX-License-Identifier: MIT */
/*
 * core.h - what every part of the runtime needs: threads, the world, records, entering and leaving.
 */
#ifndef SER_RUNTIME_CORE_CORE_H
#define SER_RUNTIME_CORE_CORE_H

#include "runtime/core/enter.h"
#include "runtime/core/records/record.h"
#include "runtime/core/thread.h"
#include "runtime/core/world.h"

#endif
