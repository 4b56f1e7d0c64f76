/* SPDX-License-Identifier: MIT */
/* What acts, and which branches decide about it. Values are followed in decided.c. */
#include "instrument/code/decisions.h"

#include <fcntl.h>
#include <string.h>

#include "instrument/code/lock_names.h"
#include "instrument/semaphores.h"
#include "instrument/unrecorded.h"

typedef SER_VECTOR(LLVMBasicBlockRef) block_list;

/* --- what is done ----------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

/* A read of a byte from a pipe or socket, or of a number from an eventfd, waits for what another
 * has put there. */
static bool takes_token(LLVMValueRef call, const char *name)
{
    enum { SIZE = 2, MOST = sizeof(uint64_t) };
    bool receives =
        strcmp(name, "read") == 0 || strcmp(name, "recv") == 0 || strcmp(name, "recvfrom") == 0;
    LLVMValueRef size =
        receives && LLVMGetNumArgOperands(call) > SIZE ? LLVMGetOperand(call, SIZE) : NULL;
    return size && LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= MOST;
}

static bool locks_file(LLVMValueRef call, const char *name)
{
    LLVMValueRef command = ser_starts_with(name, "fcntl") && LLVMGetNumArgOperands(call) > 1
                               ? LLVMGetOperand(call, 1)
                               : NULL;
    if (!command || !LLVMIsAConstantInt(command))
        return strcmp(name, "flock") == 0;
    unsigned long long value = LLVMConstIntGetZExtValue(command);
    return value == F_OFD_SETLK || value == F_OFD_SETLKW;
}

/* Semaphores, message queues and locks of files that the kernel has. Whether a call takes or gives
 * back may be said in memory: both are taken for what takes. */
static bool takes_from_system(LLVMValueRef call, const char *name)
{
    static const char *const names[] = {"semop", "semtimedop", "msgrcv", "mq_receive",
                                        "mq_timedreceive"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return locks_file(call, name);
}

/* Whether it is used as a lock is only known of a run (trace/blocks/lock_like.h). */
static bool takes_semaphore(LLVMValueRef call, const char *name)
{
    return (ser_starts_with(name, "sem_") && ends_with(name, "wait")) ||
           strcmp(name, "eventfd_read") == 0 || takes_token(call, name) ||
           takes_from_system(call, name);
}

/* Not of a function that is there to look into. */
static const char *name_elsewhere(LLVMValueRef instruction)
{
    LLVMValueRef function = is_call(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    return function && LLVMIsAFunction(function) && LLVMIsDeclaration(function)
               ? ser_called_name(instruction)
               : "";
}

static bool takes_lock(LLVMValueRef instruction)
{
    const char *name = name_elsewhere(instruction);
    return *name &&
           (ser_starts_with(name, "__kmpc_critical") || ser_starts_with(name, "omp_set_") ||
            strcmp(name, "__seriatim_semaphore_taken") == 0 || takes_semaphore(instruction, name) ||
            ser_names_acquire(name));
}

static bool gives_lock_back(LLVMValueRef instruction)
{
    const char *name = name_elsewhere(instruction);
    return *name &&
           (ser_starts_with(name, "__kmpc_end_critical") || ser_starts_with(name, "omp_unset_") ||
            strcmp(name, "__seriatim_semaphore_posted") == 0 || strcmp(name, "sem_post") == 0 ||
            ser_names_release(name));
}

static bool updates(LLVMValueRef instruction)
{
    return LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction);
}

static bool acts_itself(LLVMValueRef instruction)
{
    return LLVMIsAAtomicRMWInst(instruction) || takes_lock(instruction) ||
           (LLVMIsAStoreInst(instruction) &&
            LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic);
}

static bool writes_itself(LLVMValueRef instruction)
{
    if (!LLVMIsAStoreInst(instruction))
        return updates(instruction);
    LLVMValueRef pointer = LLVMGetOperand(instruction, 1);
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return !LLVMIsAAllocaInst(pointer);
}

static bool does_itself(ser_deed deed, LLVMValueRef instruction)
{
    switch (deed) {
    case SER_DEED_ACTS:
        return acts_itself(instruction);
    case SER_DEED_RELEASES:
        return gives_lock_back(instruction);
    default:
        return writes_itself(instruction);
    }
}

static bool does_within(ser_actors *actors, ser_deed deed, LLVMBasicBlockRef block);

/* While a recursive function is being examined its answer is no. */
static bool does_in_function(ser_actors *actors, ser_deed deed, LLVMValueRef function)
{
    ser_names *functions = actors->functions[deed];
    uint32_t count = ser_names_count(functions);
    uint32_t number = ser_names_add(functions, (const char *)&function, sizeof function);
    if (number < count)
        return actors->answers[deed].items[number];
    bool found = false;
    ser_vector_push(&actors->answers[deed], found);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !found;
         block = LLVMGetNextBasicBlock(block))
        found = does_within(actors, deed, block);
    actors->answers[deed].items[number] = found;
    return found;
}

bool ser_does(ser_actors *actors, ser_deed deed, LLVMValueRef instruction)
{
    if (does_itself(deed, instruction))
        return true;
    LLVMValueRef function =
        is_call(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
    if (function && ser_takes_std_semaphore(function))
        return deed == SER_DEED_ACTS;
    if (function && ser_posts_std_semaphore(function))
        return deed == SER_DEED_RELEASES;
    return function && does_in_function(actors, deed, function);
}

static bool does_within(ser_actors *actors, ser_deed deed, LLVMBasicBlockRef block)
{
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction))
        if (ser_does(actors, deed, instruction))
            return true;
    return false;
}

void ser_actors_init(ser_actors *actors)
{
    *actors = (ser_actors){0};
    for (int deed = 0; deed < SER_DEED_COUNT; deed++)
        actors->functions[deed] = ser_names_create();
    actors->branches = ser_names_create();
}

void ser_actors_fini(ser_actors *actors)
{
    for (int deed = 0; deed < SER_DEED_COUNT; deed++) {
        ser_names_destroy(actors->functions[deed]);
        ser_vector_free(&actors->answers[deed]);
    }
    ser_names_destroy(actors->branches);
    ser_vector_free(&actors->skips);
}

bool ser_has_decisions(ser_actors *actors, LLVMValueRef function)
{
    enum { SMALL = 24 };
    unsigned blocks = LLVMCountBasicBlocks(function);
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(function));
    return (blocks <= SMALL && LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind) ||
           (blocks <= SER_MOST_BLOCKS && does_in_function(actors, SER_DEED_ACTS, function));
}

/* --- branches ------------------------------------------------------------------ */

static bool has_block(const block_list *blocks, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < blocks->count; i++)
        if (blocks->items[i] == block)
            return true;
    return false;
}

/* All that can be reached from a block without coming to `end` again. */
static void reach(LLVMBasicBlockRef from, LLVMBasicBlockRef end, block_list *reached)
{
    ser_vector_push(reached, from);
    for (size_t i = 0; i < reached->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(reached->items[i]);
        for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            if (next != end && !has_block(reached, next))
                ser_vector_push(reached, next);
        }
    }
}

bool ser_recurs(LLVMBasicBlockRef block)
{
    block_list reached = {0};
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool found = false;
    for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last) && !found; i++) {
        reached.count = 0;
        reach(LLVMGetSuccessor(last, i), NULL, &reached);
        found = has_block(&reached, block);
    }
    ser_vector_free(&reached);
    return found;
}

bool ser_acts_in_loop(ser_actors *actors, LLVMValueRef function)
{
    if (LLVMCountBasicBlocks(function) > SER_MOST_BLOCKS)
        return false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        if (does_within(actors, SER_DEED_ACTS, block) && ser_recurs(block))
            return true;
    return false;
}

/* Is there an instruction that acts and can be reached from the branch in some directions, but
 * not in all? */
static bool acts_on_one_way(ser_actors *actors, LLVMValueRef branch, unsigned way)
{
    LLVMBasicBlockRef end = LLVMGetInstructionParent(branch);
    block_list here = {0}, there = {0};
    bool found = false;
    reach(LLVMGetSuccessor(branch, way), end, &here);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch) && !found; i++) {
        there.count = 0;
        if (LLVMGetSuccessor(branch, i) == LLVMGetSuccessor(branch, way))
            continue;
        reach(LLVMGetSuccessor(branch, i), end, &there);
        for (size_t k = 0; k < here.count && !found; k++)
            found = !has_block(&there, here.items[k]) &&
                    does_within(actors, SER_DEED_ACTS, here.items[k]);
    }
    ser_vector_free(&here);
    ser_vector_free(&there);
    return found;
}

bool ser_governs(ser_actors *actors, LLVMValueRef branch)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
        if (acts_on_one_way(actors, branch, i))
            return true;
    return false;
}

/* --- ways without a write ------------------------------------------------------ */

enum { WRITES, ENDS, GOES_ON };

/* What can be reached before the critical section ends. */
typedef struct prospects {
    ser_actors *actors;
    unsigned depth; /* of returns to callers */
    unsigned left;  /* so many blocks may still be looked at */
    bool writes, ends;
} prospects;

/* Large functions that are called from many places are looked at again for each way that leads
 * there: without a bound a file of zstd did not end within minutes. */
enum { MOST_LOOKS = 512 };

static bool is_settled(const prospects *found)
{
    return (found->writes && found->ends) || found->left == 0;
}

static void look_after_calls(prospects *found, LLVMValueRef function);

/* From an instruction to the end of its block: is something written, or does the section end, or
 * the function? What throws or aborts does neither. */
static int look_at_block(prospects *found, LLVMValueRef from)
{
    for (LLVMValueRef each = from; each; each = LLVMGetNextInstruction(each)) {
        if (ser_does(found->actors, SER_DEED_WRITES, each))
            return WRITES;
        if (ser_does(found->actors, SER_DEED_RELEASES, each))
            return ENDS;
        if (LLVMIsAReturnInst(each)) {
            look_after_calls(found, LLVMGetBasicBlockParent(LLVMGetInstructionParent(each)));
            return GOES_ON;
        }
    }
    return GOES_ON;
}

static void look_along(prospects *found, LLVMValueRef from)
{
    block_list reached = {0};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(from);
    for (size_t i = 0; i <= reached.count && i < SER_MOST_BLOCKS && !is_settled(found); i++) {
        found->left--;
        int seen = look_at_block(found, i ? LLVMGetFirstInstruction(block) : from);
        found->writes |= seen == WRITES;
        found->ends |= seen == ENDS;
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        for (unsigned k = 0; seen == GOES_ON && last && k < LLVMGetNumSuccessors(last); k++)
            if (!has_block(&reached, LLVMGetSuccessor(last, k)))
                ser_vector_push(&reached, LLVMGetSuccessor(last, k));
        block = i < reached.count ? reached.items[i] : NULL;
    }
    ser_vector_free(&reached);
}

/* Where a function is called from elsewhere, or through a pointer, its return counts as the end. */
static void look_after_calls(prospects *found, LLVMValueRef function)
{
    enum { DEEPEST = 3 };
    bool is_called = false;
    for (LLVMUseRef use = LLVMGetFirstUse(function);
         use && found->depth < DEEPEST && !is_settled(found); use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsAInstruction(call) || !is_call(call) || LLVMGetCalledValue(call) != function ||
            ser_is_in_copy(call))
            continue;
        is_called = true;
        found->depth++;
        LLVMValueRef next = LLVMIsAInvokeInst(call)
                                ? LLVMGetFirstInstruction(LLVMGetNormalDest(call))
                                : LLVMGetNextInstruction(call);
        look_along(found, next);
        found->depth--;
    }
    found->ends |= !is_called;
}

static bool find_skipping(ser_actors *actors, LLVMValueRef branch)
{
    prospects found = {.actors = actors, .left = MOST_LOOKS};
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch) && !is_settled(&found); i++)
        look_along(&found, LLVMGetFirstInstruction(LLVMGetSuccessor(branch, i)));
    return (found.writes && found.ends) || found.left == 0;
}

bool ser_may_skip_writes(ser_actors *actors, LLVMValueRef branch)
{
    uint32_t count = ser_names_count(actors->branches);
    uint32_t number = ser_names_add(actors->branches, (const char *)&branch, sizeof branch);
    if (number == count)
        ser_vector_push(&actors->skips, find_skipping(actors, branch));
    return actors->skips.items[number];
}
