/* SPDX-License-Identifier: MIT */
/*
 * Promises of the compiler or the user about memory that our calls would break.
 */
#include "instrument/unit.h"

static const char *const broken_promises[] = {
    "readnone",
    "readonly",
    "writeonly",
    "argmemonly",
    "inaccessiblememonly",
    "inaccessiblemem_or_argmemonly",
    "speculatable",
    "memory",
    "nosync",
};

enum { PROMISES = sizeof broken_promises / sizeof *broken_promises };

static void drop(LLVMValueRef value,
                 void (*remove)(LLVMValueRef, LLVMAttributeIndex, unsigned kind))
{
    for (size_t i = 0; i < PROMISES; i++) {
        const char *name = broken_promises[i];
        unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
        if (kind != 0)
            remove(value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
}

void ser_drop_promises_of_function(LLVMValueRef function)
{
    drop(function, LLVMRemoveEnumAttributeAtIndex);
}

void ser_drop_promises_of_call(LLVMValueRef call)
{
    drop(call, LLVMRemoveCallSiteEnumAttribute);
}
