/* SPDX-License-Identifier: MIT */
/*
 * Calls within which at most one event happens. Entry and exit go in before inlining, when it is
 * not known yet what is left of a small function. A block of one event cannot be violated, and the
 * event's own place names the function: so entry and exit of getters, and of functions that only
 * take a lock, would add nothing, and be half of the trace.
 *
 * The paths between an entry and its exits are walked, with the largest number of events so far; as
 * soon as that is more than one, the call stays.
 */
#include "instrument/accesses/body.h"

enum { MOST_BLOCKS = 24 }; /* larger calls are not looked at */

enum { NOTHING = 0, ONE = 1, MORE = 2 };

/* A basic block on a path through the call, and how many events may have happened before it. */
typedef struct stage {
    LLVMBasicBlockRef block;
    int before;
    bool seen;
} stage;

typedef struct small_call {
    LLVMValueRef entry;
    stage stages[MOST_BLOCKS];
    size_t count;
} small_call;

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

static bool is_call_of(LLVMValueRef instruction, const char *name)
{
    return LLVMIsACallInst(instruction) && strcmp(ser_called_name(instruction), name) == 0;
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* An access by value: __seriatim_load8, but not __seriatim_load_n, which may be of many cells. */
static bool is_access(const char *name)
{
    static const char *const kinds[] = {"load", "store", "atomic_load", "atomic_store",
                                        "atomic_rmw"};
    name += strlen("__seriatim_");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ser_starts_with(name, kinds[i]) && strspn(name + strlen(kinds[i]), "1248") == 1 &&
            strlen(name) == strlen(kinds[i]) + 1)
            return true;
    return strcmp(name, "guard_load") == 0;
}

/* Intrinsics are no calls; those that access shared memory were replaced before. */
static int happens_in(LLVMValueRef instruction)
{
    static const char *const silent[] = {"__seriatim_enter",
                                         "__seriatim_leave",
                                         "__seriatim_calls",
                                         "__seriatim_at",
                                         "_ZSt20__throw_system_errori",
                                         "__seriatim_outside",
                                         "__cxa_throw",
                                         "__cxa_allocate_exception",
                                         "_ZSt9terminatev",
                                         "abort",
                                         "__assert_fail",
                                         NULL};
    static const char *const locks[] = {"pthread_mutex_lock",    "pthread_mutex_unlock",
                                        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
                                        "pthread_rwlock_unlock", "pthread_spin_lock",
                                        "pthread_spin_unlock",   NULL};
    if (!is_call(instruction))
        return NOTHING;
    const char *name = ser_called_name(instruction);
    if (ser_starts_with(name, "llvm.") || is_one_of(name, silent))
        return NOTHING;
    if (ser_starts_with(name, "__seriatim_"))
        return is_access(name) ? ONE : MORE;
    return is_one_of(name, locks) ? ONE : MORE;
}

/* Every use is an exit: no exception or longjmp arrives back in the call. */
static bool is_simple(LLVMValueRef entry)
{
    for (LLVMUseRef use = LLVMGetFirstUse(entry); use; use = LLVMGetNextUse(use))
        if (!is_call_of(LLVMGetUser(use), "__seriatim_leave"))
            return false;
    return true;
}

static bool is_exit(const small_call *call, LLVMValueRef instruction)
{
    return is_call_of(instruction, "__seriatim_leave") &&
           LLVMGetOperand(instruction, 0) == call->entry;
}

/* False: there are too many blocks. */
static bool come_to(small_call *call, LLVMBasicBlockRef block, int before)
{
    for (size_t i = 0; i < call->count; i++) {
        stage *known = &call->stages[i];
        if (known->block != block)
            continue;
        known->seen = known->seen && known->before >= before;
        known->before = known->before > before ? known->before : before;
        return true;
    }
    if (call->count == MOST_BLOCKS)
        return false;
    call->stages[call->count++] = (stage){.block = block, .before = before};
    return true;
}

/* From an instruction to the end of its block. False: more than one event happens. */
static bool walk(small_call *call, LLVMValueRef instruction, int happened)
{
    for (; !LLVMIsATerminatorInst(instruction) || LLVMIsAInvokeInst(instruction);
         instruction = LLVMGetNextInstruction(instruction)) {
        if (is_exit(call, instruction))
            return true;
        happened += happens_in(instruction);
        if (happened > ONE)
            return false;
        if (LLVMIsAInvokeInst(instruction))
            break;
    }
    for (unsigned i = 0; i < LLVMGetNumSuccessors(instruction); i++)
        if (!come_to(call, LLVMGetSuccessor(instruction, i), happened))
            return false;
    return true;
}

static bool is_small(LLVMValueRef entry)
{
    small_call call = {.entry = entry};
    if (!is_simple(entry) || !walk(&call, LLVMGetNextInstruction(entry), NOTHING))
        return false;
    for (size_t i = 0; i < call.count; i++) {
        if (call.stages[i].seen)
            continue;
        call.stages[i].seen = true;
        if (!walk(&call, LLVMGetFirstInstruction(call.stages[i].block), call.stages[i].before))
            return false;
        i = (size_t)-1; /* a block before may have to be walked through again */
    }
    return true;
}

/* Where a call is made that is not recorded. */
static void drop_place(LLVMValueRef entry)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(entry);
    while (before && !is_call(before))
        before = LLVMGetPreviousInstruction(before);
    if (before && is_call_of(before, "__seriatim_calls"))
        LLVMInstructionEraseFromParent(before);
}

static void drop(LLVMValueRef entry)
{
    drop_place(entry);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(entry));)
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
    LLVMInstructionEraseFromParent(entry);
}

void ser_drop_small_calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block), next; instruction;
             instruction = next) {
            next = LLVMGetNextInstruction(instruction);
            if (!is_call_of(instruction, "__seriatim_enter") || !is_small(instruction))
                continue;
            if (next && is_exit(&(small_call){.entry = instruction}, next))
                next = LLVMGetNextInstruction(next);
            drop(instruction);
        }
}
