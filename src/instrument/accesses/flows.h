/* SPDX-License-Identifier: MIT */
/*
 * flows.h - where does a value go that is read from shared memory?
 *
 * A read is *data only* if its value reaches nothing but values that are stored to shared memory by
 * recorded accesses: no branch, switch or selection, no address or index, no size, no divisor, no
 * comparison of a compare-exchange, and no code that is not instrumented. Whatever value it reads,
 * the thread then takes the same steps. Values are followed through locals whose address is only
 * used to access them, into parameters of functions that are defined here and back to the call, and
 * out of functions all callers of which are known. Uses that are not understood count as not data
 * only.
 *
 * All reads are examined before the first function is rewritten. Not thread-safe.
 */
#ifndef SER_INSTRUMENT_ACCESSES_FLOWS_H
#define SER_INSTRUMENT_ACCESSES_FLOWS_H

#include "instrument/accesses/locality.h"
#include "instrument/code/decisions.h"
#include "instrument/code/followed.h"

/* Is what the instruction gives data only? */
bool ser_is_data_only(ser_unit *unit, ser_locality *locality, LLVMValueRef value);

/* Adds the recorded stores that the value, which is data only, reaches. */
void ser_find_receivers(ser_unit *unit, ser_locality *locality, LLVMValueRef value,
                        ser_names *receivers);

/* Would it be if the result of its own function, which it reaches, were data only? */
bool ser_is_returned_as_data(ser_unit *unit, ser_locality *locality, LLVMValueRef value);

/* Is the body what a call of the function executes, and instrumented? */
bool ser_is_body_known(ser_unit *unit, LLVMValueRef function);

/* Gives functions whose callers are not all known a copy for those callers here that use the result
 * as data only (clones.c). */
void ser_clone_for_data(ser_unit *unit, ser_locality *locality);

typedef struct ser_value_flows {
    ser_names *data;           /* addresses of the instructions whose value is data only */
    ser_names *receivers;      /* and of the stores that such a value reaches */
    ser_names *fixed;          /* and of the other ones, if they store their own (fixed.h) */
    ser_names *guarded;        /* and of loads with guards (code/guards.h) */
    SER_VECTOR(char *) guards; /* their texts */
    ser_names *decisions;      /* and of reads whose value decides what is done (decisions.h) */
    ser_names *handed;         /* and of those whose value is used so in a caller */
    ser_names *anyway;         /* and of those whose value does not decide whether to write */
    ser_names *blind;          /* and of those that reach no branch, either */
    ser_actors actors;
    SER_VECTOR(ser_operands) operands; /* the parameters that each of them needs */
} ser_value_flows;

/* Looks through all functions of the module. */
void ser_value_flows_init(ser_value_flows *flows, ser_unit *unit, ser_locality *locality);
void ser_value_flows_fini(ser_value_flows *flows);

/* SER_ABI_SITE_*: what the site of an access says about the value that it reads or writes. */
unsigned ser_value_flows_flags(const ser_value_flows *flows, const ser_unit *unit,
                               LLVMValueRef access);

/* The guards of what an access reads; NULL if it has none. */
const char *ser_value_flows_guards(const ser_value_flows *flows, LLVMValueRef access);

/* The parameters that these guards need; NULL: there are no guards. */
const ser_operands *ser_value_flows_operands(const ser_value_flows *flows, LLVMValueRef access);

/* Does the runtime have a function for the read-modify-write, which then writes whatever value
 * it reads? (atomics.c) */
bool ser_is_update_of_abi(const ser_unit *unit, LLVMValueRef access);

#endif
