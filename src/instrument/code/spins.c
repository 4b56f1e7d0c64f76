/* SPDX-License-Identifier: MIT */
#include "instrument/code/spins.h"

#include <string.h>

#include "base/vector.h"

enum { MOST_BLOCKS = 60 };

typedef SER_VECTOR(LLVMBasicBlockRef) block_list;

static bool has_block(const block_list *list, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == block)
            return true;
    return false;
}

/* Can `to` be reached from the end of `from` without passing `head` again? */
static bool reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef head)
{
    block_list reached = {0};
    ser_vector_push(&reached, from);
    bool found = false;
    for (size_t i = 0; i < reached.count && !found; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(reached.items[i]);
        for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last) && !found; k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            found = next == to;
            if (next != head && !has_block(&reached, next))
                ser_vector_push(&reached, next);
        }
    }
    ser_vector_free(&reached);
    return found;
}

static bool lets_time_pass(LLVMValueRef call)
{
    static const char *const names[] = {"sched_yield", "pthread_yield", "thrd_yield", "usleep",
                                        "nanosleep"};
    const char *name = ser_called_name(call);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return ser_starts_with(name, "__seriatim_") || ser_starts_with(name, "llvm.");
}

static bool is_of_local(LLVMValueRef load)
{
    return LLVMIsAAllocaInst(LLVMGetOperand(load, 0)) != NULL;
}

/* Does the block only look? Notes whether it does so in memory that others may have. */
static bool only_looks(LLVMBasicBlockRef block, bool *looks)
{
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsAStoreInst(each) || LLVMIsAAtomicRMWInst(each) || LLVMIsAAtomicCmpXchgInst(each))
            return false;
        if ((LLVMIsACallInst(each) || LLVMIsAInvokeInst(each)) &&
            !LLVMIsAInlineAsm(LLVMGetCalledValue(each)) && !lets_time_pass(each))
            return false;
        *looks |= LLVMIsALoadInst(each) && !is_of_local(each);
    }
    return true;
}

/* The loop that begins with `head`, and which `end` goes back from. */
static bool is_spin(LLVMValueRef function, LLVMBasicBlockRef head, LLVMBasicBlockRef end)
{
    bool looks = false, spins = only_looks(head, &looks);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && spins;
         block = LLVMGetNextBasicBlock(block))
        if (block != head && reaches(head, block, head) &&
            (block == end || reaches(block, end, head)))
            spins = only_looks(block, &looks);
    return spins && looks;
}

bool ser_spins(LLVMValueRef function)
{
    if (LLVMCountBasicBlocks(function) > MOST_BLOCKS)
        return false;
    for (LLVMBasicBlockRef end = LLVMGetFirstBasicBlock(function); end;
         end = LLVMGetNextBasicBlock(end)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(end);
        for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++) {
            LLVMBasicBlockRef head = LLVMGetSuccessor(last, i);
            if ((head == end || reaches(head, end, head)) && is_spin(function, head, end))
                return true;
        }
    }
    return false;
}
