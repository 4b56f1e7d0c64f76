/* SPDX-License-Identifier: MIT */
/*
 * Streams of libstdc++: what its compiled functions do with a stream's buffer is read before the
 * call, and written after it, as with any object that has no lock of its own.
 *
 * Functions are known by the beginnings of their names, as the compiler makes them: So is
 * std::ostream, Si is std::istream. The first row that fits counts.
 */
#include "instrument/accesses/streams.h"

#include <fnmatch.h>

#include "contract/abi.h"
#include "instrument/accesses/library.h"
#include "instrument/naming/sites.h"

typedef struct stream_function {
    const char *pattern;
    unsigned part; /* ser_abi_stream */
    bool reads, writes;
} stream_function;

static const stream_function functions[] = {
    {"_ZNSo[CD][0-9]*", 0, false, false},
    {"_ZNSo6sentry*", 0, false, false},
    {"_ZNSo5flushEv", 0, false, false},
    {"_ZNSo5tellpEv", SER_ABI_STREAM_OUT, true, false},
    {"_ZNSo5seekpE*", SER_ABI_STREAM_OUT, false, true},
    {"_ZNSo*", SER_ABI_STREAM_OUT, true, true},
    {"_ZStls*RSt13basic_ostreamIc*", SER_ABI_STREAM_OUT, true, true},
    {"_ZStlsIcSt11char_traitsIcE*", SER_ABI_STREAM_OUT, true, true},
    {"_ZSt16__ostream_insertIc*", SER_ABI_STREAM_OUT, true, true},
    {"_ZSt4endlIc*", SER_ABI_STREAM_OUT, true, true},
    {"_ZSt4endsIc*", SER_ABI_STREAM_OUT, true, true},
    {"_ZNSi[CD][0-9]*", 0, false, false},
    {"_ZNSi6sentry*", 0, false, false},
    {"_ZNSi5tellgEv", SER_ABI_STREAM_IN, true, false},
    {"_ZNSi4peekEv", SER_ABI_STREAM_IN, true, false},
    {"_ZNSi5seekgE*", SER_ABI_STREAM_IN, false, true},
    {"_ZNSi*", SER_ABI_STREAM_IN, true, true},
    {"_ZStrsI*St11char_traitsIcE*", SER_ABI_STREAM_IN, true, true},
    {"_ZSt7getlineIc*", SER_ABI_STREAM_IN, true, true},
    {"_ZSt17__istream_extractRSi*", SER_ABI_STREAM_IN, true, true},
    {"_ZSt2wsIc*", SER_ABI_STREAM_IN, true, true},
    {"_ZNK*St7__cxx11*basic_*stringstreamIc*3strE*", SER_ABI_STREAM_ALL, true, false},
    {"_ZNSt7__cxx11*basic_*stringstreamIc*3strE*", SER_ABI_STREAM_ALL, false, true},
    {"_ZNO*St7__cxx11*basic_*stringstreamIc*3strE*", SER_ABI_STREAM_ALL, true, true},
    {"_ZNSt*basic_*fstreamIc*4openE*", SER_ABI_STREAM_ALL, false, true},
    {"_ZNSt*basic_*fstreamIc*5closeEv", SER_ABI_STREAM_ALL, false, true},
};

static const stream_function *find(LLVMValueRef call)
{
    LLVMValueRef callee = ser_called_function(call);
    const char *name = callee && ser_is_of_library(callee) ? ser_called_name(call) : "";
    if (!ser_starts_with(name, "_Z"))
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (fnmatch(functions[i].pattern, name, 0) == 0)
            return functions[i].reads || functions[i].writes ? &functions[i] : NULL;
    return NULL;
}

/* The stream is the first argument but for where the result is put. */
LLVMValueRef ser_stream_used(LLVMValueRef call)
{
    if (!find(call))
        return NULL;
    unsigned argument = ser_returns_through_memory(call) ? 1 : 0;
    if (argument >= LLVMGetNumArgOperands(call))
        return NULL;
    LLVMValueRef stream = LLVMGetOperand(call, argument);
    return LLVMGetTypeKind(LLVMTypeOf(stream)) == LLVMPointerTypeKind ? stream : NULL;
}

static void tell(ser_unit *unit, LLVMValueRef stream, unsigned part, unsigned use,
                 LLVMValueRef site)
{
    SER_CALL(unit, "__seriatim_stream", stream, LLVMConstInt(unit->i32, part, false),
             LLVMConstInt(unit->i32, use, false), site);
}

/* Where something is written next decides nothing but where it is written. */
void ser_tell_stream(ser_body *body, LLVMValueRef call, LLVMValueRef site)
{
    ser_unit *unit = body->unit;
    const stream_function *function = find(call);
    LLVMValueRef stream = ser_stream_used(call);
    LLVMPositionBuilderBefore(unit->builder, call);
    ser_site_add_flags(unit, site, SER_ABI_SITE_TELLS);
    if (function->writes)
        ser_site_add_flags(unit, site, SER_ABI_SITE_MODIFIES);
    if (function->part == SER_ABI_STREAM_OUT && function->writes)
        ser_site_add_flags(unit, site, SER_ABI_SITE_DATA);
    SER_CALL(unit, "__seriatim_at", site);
    if (function->reads)
        tell(unit, stream, function->part, SER_ABI_READS, site);
    LLVMValueRef after = ser_must_tail(call) ? NULL : ser_place_after(call);
    if (!function->writes || !after)
        return;
    LLVMPositionBuilderBefore(unit->builder, after);
    tell(unit, stream, function->part, SER_ABI_HAS_WRITTEN, site);
}
