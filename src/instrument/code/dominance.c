/* SPDX-License-Identifier: MIT */
/* Block A dominates block B iff B cannot be reached from the entry without A. LLVM-C has no
 * dominator tree. */
#include "instrument/code/dominance.h"

typedef struct search {
    LLVMBasicBlockRef avoided, wanted;
    ser_names *seen;
    SER_VECTOR(LLVMBasicBlockRef) open;
} search;

static void visit(search *at, LLVMBasicBlockRef block)
{
    uint32_t known = ser_names_count(at->seen);
    if (block == at->avoided || ser_names_add(at->seen, (const char *)&block, sizeof block) < known)
        return;
    ser_vector_push(&at->open, block);
}

static bool can_reach(search *at, LLVMBasicBlockRef entry)
{
    bool found = false;
    visit(at, entry);
    while (at->open.count && !found) {
        LLVMBasicBlockRef block = at->open.items[--at->open.count];
        found = block == at->wanted;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            visit(at, LLVMGetSuccessor(end, i));
    }
    return found;
}

static bool comes_first(LLVMValueRef first, LLVMValueRef later)
{
    while (first && first != later)
        first = LLVMGetNextInstruction(first);
    return first == later;
}

bool ser_dominates(LLVMValueRef first, LLVMValueRef later)
{
    search at = {.avoided = LLVMGetInstructionParent(first),
                 .wanted = LLVMGetInstructionParent(later)};
    if (at.avoided == at.wanted)
        return comes_first(first, later);
    at.seen = ser_names_create();
    bool reached = can_reach(&at, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(at.avoided)));
    ser_names_destroy(at.seen);
    ser_vector_free(&at.open);
    return !reached;
}
