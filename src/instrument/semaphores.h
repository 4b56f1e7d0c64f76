/* SPDX-License-Identifier: MIT */
/*
 * semaphores.h - std::counting_semaphore, recorded as a semaphore and not as atomics.
 */
#ifndef SER_INSTRUMENT_SEMAPHORES_H
#define SER_INSTRUMENT_SEMAPHORES_H

#include "instrument/unit.h"

/* Is it the method of libstdc++'s semaphore that takes one (or tries to), or that posts? Its
 * atomics belong to the semaphore, and not to what it protects. */
bool ser_takes_std_semaphore(LLVMValueRef function);
bool ser_posts_std_semaphore(LLVMValueRef function);

/* If the function is a method of libstdc++'s semaphore, it records its operation from now on. */
bool ser_tell_semaphore(ser_unit *unit, LLVMValueRef function);

/* Notes the place of each use of a semaphore in a function of the program. */
void ser_place_semaphores(ser_unit *unit, LLVMValueRef function);

#endif
