/* SPDX-License-Identifier: MIT */
#include "instrument/code/reentry.h"

#include "instrument/accesses/outside.h"

/* Beginnings of names: some of outside.c's that call back, or whose callees might. */
static const char *const calls_back[] = {
    "pthread_once", "call_once", "raise", "pthread_kill", "__kmpc_", "g_", "_Z",
};

/* Beginnings of names, too. */
static const char *const calls_nothing_back[] = {
    "llvm.",
    "__seriatim_",
    "pthread_mutex_",
    "pthread_cond_",
    "pthread_rwlock_",
    "pthread_spin_",
    "pthread_barrier_",
    "pthread_self",
    "sem_",
    "__kmpc_critical",
    "__kmpc_end_critical",
    "omp_",
    "g_mutex_",
    "g_cond_",
    "sched_yield",
    "usleep",
    "sleep",
    "nanosleep",
    "printf",
    "fprintf",
    "puts",
    "fputs",
    "putchar",
    "memcpy",
    "memset",
    "memmove",
    "memcmp",
    "strlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "malloc",
    "calloc",
    "free",
    "rand",
    "srand",
    "abort",
    "__assert_fail",
};

static bool begins_with_one(const char *name, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ser_starts_with(name, beginnings[i]))
            return true;
    return false;
}

/* Of a function that is only declared here: is it one of the library that calls nothing back? */
static bool is_harmless(ser_unit *unit, LLVMValueRef call)
{
    const char *name = ser_called_name(call);
    if (begins_with_one(name, calls_nothing_back,
                        sizeof calls_nothing_back / sizeof *calls_nothing_back))
        return true;
    ser_outside_call how = ser_goes_outside(unit, call);
    return (how == SER_OUTSIDE_NOT || how == SER_OUTSIDE_RUNS) &&
           !begins_with_one(name, calls_back, sizeof calls_back / sizeof *calls_back);
}

/* The same, found out once for each: names are compared with many patterns. */
static bool stays_away(ser_unit *unit, LLVMValueRef callee, LLVMValueRef call)
{
    uint32_t known = ser_names_count(unit->declared);
    uint32_t number = ser_names_add(unit->declared, (const char *)&callee, sizeof callee);
    if (number == known)
        ser_vector_push(&unit->stay_away, is_harmless(unit, call));
    return unit->stay_away.items[number];
}

typedef struct walk {
    ser_unit *unit;
    LLVMValueRef target;
    ser_names *seen;
    SER_VECTOR(LLVMValueRef) open; /* functions */
} walk;

/* True: it may lead to the target. */
static bool follow_call(walk *at, LLVMValueRef call)
{
    LLVMValueRef callee = ser_called_function(call);
    if (!callee || callee == at->target)
        return true;
    if (LLVMIsDeclaration(callee))
        return !stays_away(at->unit, callee, call);
    uint32_t known = ser_names_count(at->seen);
    if (ser_names_add(at->seen, (const char *)&callee, sizeof callee) == known)
        ser_vector_push(&at->open, callee);
    return false;
}

static bool leads_back(walk *at, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            bool calls = LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
            if (calls && follow_call(at, instruction))
                return true;
        }
    return false;
}

bool ser_may_be_reentered(ser_unit *unit, LLVMValueRef function)
{
    walk at = {.unit = unit, .target = function, .seen = ser_names_create()};
    bool may = leads_back(&at, function);
    while (at.open.count && !may)
        may = leads_back(&at, at.open.items[--at.open.count]);
    ser_names_destroy(at.seen);
    ser_vector_free(&at.open);
    return may;
}
