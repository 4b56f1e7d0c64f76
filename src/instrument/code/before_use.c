/* SPDX-License-Identifier: MIT */
/*
 * First all that depends on the load, wherever it is: values, and local variables that such a value
 * is stored into (find_dependent). Then the shortest way from the load to an instruction that
 * depends on it and does more than compute, a way being as long as it has steps: blocks are entered
 * with the fewest steps known so far, until none can be entered with fewer (ser_steps_before_use).
 * Ways through loops are no exception: those that go round once more are no shorter.
 */
#include "instrument/code/before_use.h"

#include "instrument/code/locals.h"
#include "instrument/code/operations.h"

enum { MOST_DEPENDENT = 300, MOST_BLOCKS = 200, MOST_STEPS = 100 };

/* A block that can be reached, and how many steps there are before it at least. */
typedef struct reached_block {
    LLVMBasicBlockRef block;
    unsigned steps;
    bool is_open; /* to be looked at, again */
} reached_block;

typedef struct forward_walk {
    ser_unit *unit;
    ser_locality *locality;
    ser_names *tainted; /* what depends on the load: values and locals */
    SER_VECTOR(reached_block) blocks;
    unsigned fewest; /* steps on the shortest way to a use */
} forward_walk;

static bool is_one_of(LLVMValueRef call, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(ser_called_name(call), names[i]) == 0)
            return true;
    return false;
}

static bool is_release(LLVMValueRef call)
{
    static const char *const names[] = {"pthread_mutex_unlock", "pthread_rwlock_unlock",
                                        "pthread_spin_unlock", "mtx_unlock", "sem_post"};
    return is_one_of(call, names, sizeof names / sizeof *names);
}

/* No sem_wait: a signal may end it without a step. */
static bool is_acquire(LLVMValueRef call)
{
    static const char *const names[] = {"pthread_mutex_lock", "pthread_rwlock_rdlock",
                                        "pthread_rwlock_wrlock", "pthread_spin_lock", "mtx_lock"};
    return is_one_of(call, names, sizeof names / sizeof *names);
}

/* Of a function that does nothing else: it has one block. */
static unsigned releases_in(LLVMValueRef function)
{
    unsigned count = 0;
    LLVMBasicBlockRef block = function ? LLVMGetFirstBasicBlock(function) : NULL;
    if (!block || LLVMGetNextBasicBlock(block))
        return 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        count += LLVMIsACallInst(at) && is_release(at);
    return count;
}

static bool is_tainted(const ser_names *tainted, LLVMValueRef value)
{
    return ser_names_find(tainted, (const char *)&value, sizeof value) != SER_NO_NAME;
}

static bool uses_tainted(const ser_names *tainted, LLVMValueRef instruction)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (is_tainted(tainted, LLVMGetOperand(instruction, i)))
            return true;
    return false;
}

/* The local that the instruction stores into or loads from; NULL: none, or others may see it. */
static LLVMValueRef local_of(LLVMValueRef instruction)
{
    LLVMValueRef local = NULL;
    if (LLVMIsALoadInst(instruction))
        local = LLVMGetOperand(instruction, 0);
    else if (LLVMIsAStoreInst(instruction))
        local = LLVMGetOperand(instruction, 1);
    return local && LLVMIsAAllocaInst(local) && ser_is_simple_local(local) ? local : NULL;
}

/* Does the store make one event, whatever it stores? */
static bool is_recorded_store(forward_walk *walk, LLVMValueRef instruction)
{
    return LLVMIsAStoreInst(instruction) &&
           !is_tainted(walk->tainted, LLVMGetOperand(instruction, 1)) &&
           ser_is_recorded(walk->unit, walk->locality, instruction);
}

/* Does it hand the value on without anything else depending on it? */
static bool only_hands_on(LLVMValueRef instruction)
{
    return local_of(instruction) || ser_only_computes(instruction);
}

static bool is_use(forward_walk *walk, LLVMValueRef instruction)
{
    return uses_tainted(walk->tainted, instruction) && !only_hands_on(instruction) &&
           !is_recorded_store(walk, instruction);
}

/* The users of a value, and of a local that it is stored into; false: there are too many. */
static bool find_dependent(ser_names *tainted, LLVMValueRef load)
{
    ser_values open = {0};
    ser_vector_push(&open, load);
    while (open.count && ser_names_count(tainted) < MOST_DEPENDENT) {
        LLVMValueRef value = open.items[--open.count];
        uint32_t known = ser_names_count(tainted);
        if (ser_names_add(tainted, (const char *)&value, sizeof value) < known)
            continue;
        for (LLVMUseRef each = LLVMGetFirstUse(value); each; each = LLVMGetNextUse(each)) {
            LLVMValueRef user = LLVMGetUser(each), local = local_of(user);
            if (LLVMIsAStoreInst(user) ? local != NULL : only_hands_on(user))
                ser_vector_push(&open, LLVMIsAStoreInst(user) ? local : user);
        }
    }
    bool is_all = open.count == 0;
    ser_vector_free(&open);
    return is_all;
}

static unsigned steps_of(forward_walk *walk, LLVMValueRef instruction)
{
    if (LLVMIsACallInst(instruction))
        return is_release(instruction) || is_acquire(instruction)
                   ? 1
                   : releases_in(ser_called_function(instruction));
    return is_recorded_store(walk, instruction);
}

static void enter(forward_walk *walk, LLVMBasicBlockRef block, unsigned steps)
{
    size_t i = 0;
    while (i < walk->blocks.count && walk->blocks.items[i].block != block)
        i++;
    if (i == MOST_BLOCKS)
        walk->fewest = steps < walk->fewest ? steps : walk->fewest;
    else if (i == walk->blocks.count)
        ser_vector_push(&walk->blocks, ((reached_block){block, steps, true}));
    else if (steps < walk->blocks.items[i].steps)
        walk->blocks.items[i] = (reached_block){block, steps, true};
}

/* From an instruction to the next use, or to what comes behind the block; only branches that do
 * not depend on the value go on. */
static void go_on(forward_walk *walk, LLVMValueRef at, unsigned steps)
{
    for (; steps < walk->fewest && !is_use(walk, at); at = LLVMGetNextInstruction(at)) {
        if (LLVMIsATerminatorInst(at)) {
            bool branches = LLVMIsABranchInst(at) || LLVMIsASwitchInst(at);
            for (unsigned i = 0; branches && i < LLVMGetNumSuccessors(at); i++)
                enter(walk, LLVMGetSuccessor(at, i), steps);
            if (branches)
                return;
            break;
        }
        steps += steps_of(walk, at);
    }
    walk->fewest = steps < walk->fewest ? steps : walk->fewest;
}

static reached_block *find_open(forward_walk *walk)
{
    for (size_t i = 0; i < walk->blocks.count; i++)
        if (walk->blocks.items[i].is_open)
            return &walk->blocks.items[i];
    return NULL;
}

unsigned ser_steps_before_use(ser_unit *unit, ser_locality *locality, LLVMValueRef load)
{
    forward_walk walk = {
        .unit = unit, .locality = locality, .tainted = ser_names_create(), .fewest = MOST_STEPS};
    if (!find_dependent(walk.tainted, load))
        walk.fewest = 0;
    go_on(&walk, LLVMGetNextInstruction(load), 0);
    for (reached_block *next; (next = find_open(&walk));) {
        next->is_open = false;
        go_on(&walk, LLVMGetFirstInstruction(next->block), next->steps);
    }
    ser_names_destroy(walk.tainted);
    ser_vector_free(&walk.blocks);
    return walk.fewest;
}
