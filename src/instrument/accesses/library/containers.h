/* SPDX-License-Identifier: MIT */
/*
 * containers.h - calls of the compiled part of std::map, std::set, std::list and the hash tables in
 * libstdc++. The rest of these is in headers, and instrumented.
 */
#ifndef SER_INSTRUMENT_ACCESSES_LIBRARY_CONTAINERS_H
#define SER_INSTRUMENT_ACCESSES_LIBRARY_CONTAINERS_H

#include "instrument/accesses/body.h"

/* Is it a call that can be replaced by one of the runtime's functions? */
bool ser_is_container_call(LLVMValueRef call);
void ser_rewrite_container_call(ser_body *body, LLVMValueRef call, LLVMValueRef site);

/* Does it ask whether a hash table must grow, or how far? */
bool ser_asks_for_rehash(LLVMValueRef call);
void ser_tell_rehash(ser_body *body, LLVMValueRef call, LLVMValueRef site);

#endif
