/* SPDX-License-Identifier: MIT */
/*
 * decisions.h - does a value that is read decide whether its thread then takes a lock, or changes
 * something atomically, or what it writes in a later critical section? And is it used so outside of
 * the call in which it is read?
 *
 * It decides if the value reaches a branch, and a call of a function that takes a lock, or an
 * atomic access that writes, can be reached in some directions of the branch but not in all, before
 * the branch is executed again. It also decides if the branch comes after the taking of another
 * lock and may lead past a write, or if the value is the index of what is written there: "the first
 * slot that is free". Values are followed through locals, parameters, results, and
 * branches that choose between constants ("return true; ... return false;"). The result of a
 * function that nobody calls in this module, but others may, perhaps through a pointer, is taken to
 * decide in its callers. This is a heuristic
 * for what was meant to be atomic (trace/blocks/checks.h): nothing that is reported as certain
 * depends on it.
 */
#ifndef SER_INSTRUMENT_ACCESSES_DECISIONS_H
#define SER_INSTRUMENT_ACCESSES_DECISIONS_H

#include "base/names.h"
#include "base/vector.h"
#include "instrument/unit.h"

/* What an instruction may do, itself or in the functions that it calls, as far as that is known. */
typedef enum ser_deed {
    SER_DEED_ACTS,     /* takes a lock or a semaphore, or changes something atomically */
    SER_DEED_RELEASES, /* gives a lock back, or posts a semaphore */
    SER_DEED_WRITES,   /* to memory that is no local variable */
    SER_DEED_COUNT
} ser_deed;

/* Which functions do so. */
typedef struct ser_actors {
    ser_names *functions[SER_DEED_COUNT];     /* their addresses */
    SER_VECTOR(bool) answers[SER_DEED_COUNT]; /* by number */
    ser_names *branches;                      /* that were asked for ser_may_skip_writes */
    SER_VECTOR(bool) skips;                   /* the answers, by number */
} ser_actors;

/* Functions with more basic blocks are not examined. */
enum { SER_MOST_BLOCKS = 300 };

typedef struct ser_read_decision {
    bool decides;
    bool is_handed; /* it decides, or is stored, after the call that reads it has returned, */
    bool is_given;  /* or is then an argument of a function that is not seen here */
} ser_read_decision;

void ser_actors_init(ser_actors *actors);
void ser_actors_fini(ser_actors *actors);

bool ser_does(ser_actors *actors, ser_deed deed, LLVMValueRef instruction);

/* Does the function have an instruction that acts at all, or may it be an accessor? */
bool ser_has_decisions(ser_actors *actors, LLVMValueRef function);

/* Can control come from the end of the block to its begin? */
bool ser_recurs(LLVMBasicBlockRef block);

/* Is there an instruction that acts, and that the function comes to again in a loop? */
bool ser_acts_in_loop(ser_actors *actors, LLVMValueRef function);

/* Can the branch or switch lead to a place that acts, and also past it? */
bool ser_governs(ser_actors *actors, LLVMValueRef branch);

/* Can it lead to a write, and also to the end of the critical section, or of the function, without
 * one? Also true if that would take too long to find out. */
bool ser_may_skip_writes(ser_actors *actors, LLVMValueRef branch);

ser_read_decision ser_find_decision(ser_actors *actors, LLVMValueRef read);

/* Does the value not decide whether something is written before the lock is given back? Blind: and
 * no branch depends on it until then. */
bool ser_writes_anyway(ser_actors *actors, LLVMValueRef read, bool *is_blind);

#endif
