/* SPDX-License-Identifier: MIT */
/*
 * decisions.h - does a value that is read decide whether its thread then takes a lock, or changes
 * something atomically?
 *
 * It does if the value reaches a branch, directly or through locals, and a call of a function that
 * takes a lock, or an atomic access that writes, can be reached in some directions of the branch
 * but not in all, before the branch is executed again. This is a heuristic for what was meant to be
 * atomic (trace/blocks/checks.h): nothing that is reported as certain depends on it. Values that go
 * through parameters, results or memory others can reach are not followed.
 */
#ifndef SER_INSTRUMENT_ACCESSES_DECISIONS_H
#define SER_INSTRUMENT_ACCESSES_DECISIONS_H

#include "base/names.h"
#include "base/vector.h"
#include "instrument/unit.h"

/* Which functions take locks or change something atomically, themselves or in what they call, as
 * far as that is known. */
typedef struct ser_actors {
    ser_names *functions;     /* their addresses */
    SER_VECTOR(bool) answers; /* by number */
} ser_actors;

void ser_actors_init(ser_actors *actors);
void ser_actors_fini(ser_actors *actors);

/* Does the function have such an instruction at all? Large functions are not examined. */
bool ser_has_decisions(ser_actors *actors, LLVMValueRef function);

bool ser_decides(ser_actors *actors, LLVMValueRef read);

#endif
