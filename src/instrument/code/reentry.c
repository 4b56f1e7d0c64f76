/* SPDX-License-Identifier: MIT */
#include "instrument/code/reentry.h"

/* Beginnings of names. */
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

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof calls_nothing_back / sizeof *calls_nothing_back; i++)
        if (ser_starts_with(name, calls_nothing_back[i]))
            return true;
    return false;
}

typedef struct walk {
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
        return !is_harmless(ser_called_name(call));
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

bool ser_may_be_reentered(LLVMValueRef function)
{
    walk at = {.target = function, .seen = ser_names_create()};
    bool may = leads_back(&at, function);
    while (at.open.count && !may)
        may = leads_back(&at, at.open.items[--at.open.count]);
    ser_names_destroy(at.seen);
    ser_vector_free(&at.open);
    return may;
}
