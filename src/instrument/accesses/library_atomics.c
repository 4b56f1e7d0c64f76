/* SPDX-License-Identifier: MIT */
/*
 * Calls of libatomic: the compiler makes them for a std::atomic of a structure, whose alignment it
 * does not know. Where the size is that of a machine word they become atomic instructions, and are
 * recorded as such. The object is aligned then, as atomic ones are.
 */
#include "instrument/accesses/body.h"

enum { SIZE, OBJECT, FIRST, SECOND }; /* arguments: behind the object come pointers to values */

/* As the instruction has it: a whole number. */
static LLVMValueRef pointer_to(ser_unit *unit, LLVMValueRef call, unsigned argument,
                               LLVMTypeRef type)
{
    return LLVMBuildBitCast(unit->builder, LLVMGetOperand(call, argument), LLVMPointerType(type, 0),
                            "");
}

static LLVMValueRef get(ser_unit *unit, LLVMValueRef call, unsigned argument, LLVMTypeRef type)
{
    LLVMValueRef value =
        LLVMBuildLoad2(unit->builder, type, pointer_to(unit, call, argument, type), "");
    LLVMSetAlignment(value, 1);
    return value;
}

static void put(ser_unit *unit, LLVMValueRef call, unsigned argument, LLVMValueRef value)
{
    LLVMValueRef pointer = pointer_to(unit, call, argument, LLVMTypeOf(value));
    LLVMSetAlignment(LLVMBuildStore(unit->builder, value, pointer), 1);
}

static void make_atomic(LLVMValueRef access, unsigned size)
{
    LLVMSetOrdering(access, LLVMAtomicOrderingSequentiallyConsistent);
    LLVMSetAlignment(access, size);
}

static void load(ser_unit *unit, LLVMValueRef call, LLVMTypeRef type, unsigned size)
{
    LLVMValueRef value =
        LLVMBuildLoad2(unit->builder, type, pointer_to(unit, call, OBJECT, type), "");
    make_atomic(value, size);
    put(unit, call, FIRST, value);
}

static void store(ser_unit *unit, LLVMValueRef call, LLVMTypeRef type, unsigned size)
{
    LLVMValueRef value = get(unit, call, FIRST, type);
    make_atomic(LLVMBuildStore(unit->builder, value, pointer_to(unit, call, OBJECT, type)), size);
}

static void exchange(ser_unit *unit, LLVMValueRef call, LLVMTypeRef type, unsigned size)
{
    (void)size;
    LLVMValueRef old = LLVMBuildAtomicRMW(
        unit->builder, LLVMAtomicRMWBinOpXchg, pointer_to(unit, call, OBJECT, type),
        get(unit, call, FIRST, type), LLVMAtomicOrderingSequentiallyConsistent, false);
    put(unit, call, SECOND, old);
}

/* What was there is put where the expected value was: if they are equal, too. */
static void compare_exchange(ser_unit *unit, LLVMValueRef call, LLVMTypeRef type, unsigned size)
{
    (void)size;
    LLVMValueRef both = LLVMBuildAtomicCmpXchg(
        unit->builder, pointer_to(unit, call, OBJECT, type), get(unit, call, FIRST, type),
        get(unit, call, SECOND, type), LLVMAtomicOrderingSequentiallyConsistent,
        LLVMAtomicOrderingSequentiallyConsistent, false);
    put(unit, call, FIRST, LLVMBuildExtractValue(unit->builder, both, 0, ""));
    LLVMValueRef equal = LLVMBuildExtractValue(unit->builder, both, 1, "");
    LLVMReplaceAllUsesWith(call,
                           LLVMBuildIntCast2(unit->builder, equal, LLVMTypeOf(call), false, ""));
}

typedef void maker(ser_unit *unit, LLVMValueRef call, LLVMTypeRef type, unsigned size);

static const struct {
    const char *name;
    unsigned arguments;
    maker *make;
} functions[] = {
    {"__atomic_load", 4, load},
    {"__atomic_store", 4, store},
    {"__atomic_exchange", 5, exchange},
    {"__atomic_compare_exchange", 6, compare_exchange},
};

static maker *find_maker(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsACallInst(call) ? ser_called_function(call) : NULL;
    if (!callee || !LLVMIsDeclaration(callee))
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(ser_called_name(call), functions[i].name) == 0)
            return LLVMGetNumArgOperands(call) == functions[i].arguments ? functions[i].make : NULL;
    return NULL;
}

/* 0: no machine word. */
static unsigned size_of(LLVMValueRef call)
{
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(call, SIZE));
    unsigned long long bytes = size ? LLVMConstIntGetZExtValue(size) : 0;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? (unsigned)bytes : 0;
}

void ser_replace_library_atomics(ser_unit *unit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, at = LLVMGetFirstInstruction(block); at; at = next) {
            next = LLVMGetNextInstruction(at);
            maker *make = find_maker(at);
            unsigned size = make ? size_of(at) : 0;
            if (size == 0)
                continue;
            LLVMPositionBuilderBefore(unit->builder, at);
            make(unit, at, LLVMIntTypeInContext(LLVMGetModuleContext(unit->module), size * 8),
                 size);
            LLVMInstructionEraseFromParent(at);
        }
    }
}
