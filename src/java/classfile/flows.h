/* SPDX-License-Identifier: MIT */
/*
 * flows.h - where the values go that a method reads. Inside of this folder.
 *
 * The code is executed once for all values at a time, from the beginning and from each target of a
 * branch, until nothing changes. A word of the stack or of a local variable belongs to a group:
 * that of the reads from which its value is computed. Groups that meet are one from then on. A
 * group whose value reaches a branch, an object or index, a call, or anything else but a recorded
 * field is no longer data alone; the frames that the verifier uses are not needed for that.
 *
 * A word's origin is wider: results of operations of the library that only read, and what calls
 * compute from their arguments, have one, too. An origin decides, if a branch depends on it beyond
 * which the method acts, or not, and returns; or if it is an argument of what changes something:
 * `if (map.get(key) == null) map.put(key, value)`. To act is to take a lock, to change an object of
 * the library, or to call a method of the program, which may do that. What is returned is handed
 * on, and a method that answers yes or no hands on what its branches depend on. What callers do
 * with it is told to the client: that a result of a method of the program decides, or goes into
 * another one
 * (`set(get() + n)`). They are only asked where the method as a whole is no block by itself.
 *
 *     flows.c            the method: its branches, handlers, and what follows for its accesses
 *     flow_code.c        one instruction
 *     flow_values.c      words and groups
 *     flow_decisions.c   branches that decide
 *
 * Elements of arrays are not followed: the library reads arrays without a record.
 */
#ifndef SER_JAVA_CLASSFILE_FLOWS_H
#define SER_JAVA_CLASSFILE_FLOWS_H

#include "java/classfile/weave.h"

/* What a word holds. */
typedef struct ser_flow_word {
    uint16_t group;  /* of the reads that it comes from; 0: none */
    uint16_t value;  /* equal ones are the same value, in straight-line code; 0: not known */
    uint16_t origin; /* a group as well */
} ser_flow_word;

/* An access that straight-line code has just made. */
typedef struct ser_flow_read {
    uint32_t at, constant; /* the field's; 0: an element */
    ser_flow_word object, index;
} ser_flow_read;

enum { SER_FLOW_RECENT = 4 };

enum { SER_FLOW_OF_PARAMETERS = 16385 }; /* values of parameters have this number or a higher one */

typedef struct ser_flows {
    ser_weave *weave;
    ser_view exceptions; /* entries; the count was read */
    uint32_t locals, words;
    ser_flow_word *state; /* local variables, then the stack */
    uint32_t depth;       /* of the stack */
    bool failed;          /* not understood: nothing is known of the method */
    uint16_t *parents;    /* by group: another one that it has met, or itself */
    bool *reached;        /* by group: something else than a recorded field */
    bool *decides;        /* by group: what the method does */
    bool *handed;         /* by group: to the caller */
    uint32_t group_count, group_room;
    uint16_t *group_at;  /* by position: that of a read, or of what is written; 0: none */
    uint16_t *origin_at; /* by position: of what is read there; 0: none */
    uint16_t *asked_at;  /* by position of a branch: of what it depends on */
    uint16_t *result_at; /* by position of a call of the program's: of what it returns */
    uint16_t *passed_at; /* by position of such a call: of what its arguments come from */
    bool stores;         /* it writes an argument to a recorded field */
    bool *acts;          /* by position: others see what is done there */
    bool *writes;        /* by position: a recorded write */
    bool *begins;        /* by position: a read that begins an assignment such as n++ */
    ser_flow_read recent[SER_FLOW_RECENT];
    uint32_t recent_count;
} ser_flows;

/* --- flow_values.c ---------------------------------------------------------- */

uint16_t ser_flow_find(const ser_flows *flows, uint16_t group);
uint16_t ser_flow_unite(ser_flows *flows, uint16_t one, uint16_t other);
/* The group that is noted there, or a new one. */
uint16_t ser_flow_group(ser_flows *flows, uint16_t *place);
void ser_flow_reaches(ser_flows *flows, ser_flow_word word);
void ser_flow_decides(ser_flows *flows, ser_flow_word word);
void ser_flow_is_handed(ser_flows *flows, ser_flow_word word);
void ser_flow_push(ser_flows *flows, ser_flow_word word, uint32_t words);
/* So many words are taken; their group. */
ser_flow_word ser_flow_pop(ser_flows *flows, uint32_t words);
ser_flow_word *ser_flow_local(ser_flows *flows, uint32_t number, uint32_t words);

/* --- flow_code.c ------------------------------------------------------------ */

/* What the instruction does to the state. */
void ser_flow_execute(ser_flows *flows, uint32_t at);

/* --- flow_decisions.c ------------------------------------------------------- */

typedef void ser_flow_target(void *context, uint32_t target);
/* Where an instruction may go, but for the next one; false if that cannot follow. */
bool ser_flow_each_target(ser_flows *flows, uint32_t at, ser_flow_target *act, void *context);
/* After all code was executed: which origins decide. */
void ser_flow_find_decisions(ser_flows *flows);

#endif
