/* SPDX-License-Identifier: MIT */
/*
 * local.h - objects in local variables.
 */
#ifndef SER_RUNTIME_ACCESS_LOCAL_H
#define SER_RUNTIME_ACCESS_LOCAL_H

#include "runtime/core/core.h"

/* A lock or the like may lie in a local variable that is not recorded yet: records it. False if
 * accesses of its memory were elided before. */
bool ser_local_reveal_object(ser_thread *me, uintptr_t object);

#endif
