/* SPDX-License-Identifier: MIT */
/*
 * decisions.h - does it depend on a value that is read whether its thread then takes a lock, or
 * changes something atomically?
 *
 * So it does if the value reaches a branch, directly or through locals, and a call of a function
 * that takes a lock, or an atomic access that writes, can only be reached in some of the ways that
 * the branch may go, before it is come to again. That is for guessing what was meant to be atomic
 * (trace/blocks/checks.h): nothing that is certain depends on it. Values that go through
 * parameters, results or memory others can reach are not followed.
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

/* Is there something to be decided in the function at all? Large ones are not looked at. */
bool ser_has_decisions(ser_actors *actors, LLVMValueRef function);

bool ser_decides(ser_actors *actors, LLVMValueRef read);

#endif
