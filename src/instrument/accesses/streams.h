/* SPDX-License-Identifier: MIT */
/*
 * streams.h - calls of compiled functions of libstdc++ that use a stream.
 */
#ifndef SER_INSTRUMENT_ACCESSES_STREAMS_H
#define SER_INSTRUMENT_ACCESSES_STREAMS_H

#include "instrument/accesses/body.h"

/* More than any member of a stream has: its name is that of the stream. */
enum { SER_STREAM_SIZE = 256 };

/* The stream that the call reads or writes; NULL: none. */
LLVMValueRef ser_stream_used(LLVMValueRef call);

/* Tells the runtime, before and after the call. */
void ser_tell_stream(ser_body *body, LLVMValueRef call, LLVMValueRef site);

#endif
