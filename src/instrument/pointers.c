/* SPDX-License-Identifier: MIT */
/*
 * libstdc++ makes these operations of a lock: a bit of the pointer to the counters, or a mutex of
 * its own. Seen like that, a compare-exchange is a critical section, and a loop around it seems to
 * act on what it has read in another one. So the bodies are replaced: each operation is one call of
 * the runtime.
 *
 * Both kinds of pointer are two words: the object, and its counters (contract/abi.h).
 */
#include "instrument/pointers.h"

#include <llvm-c/DebugInfo.h>

#include "contract/abi.h"
#include "instrument/instrument.h"

typedef enum deed { NOTHING, LOAD, STORE, SWAP, EXCHANGE, COMPARE_EXCHANGE } deed;

/* Symbols of templates: how they begin, what follows the first arguments of the template, and how
 * many parameters the function has. */
static const struct {
    const char *begin, *middle;
    deed what;
    unsigned parameters;
} operations[] = {
    {"_ZNKSt10_Sp_atomicI", "EE4loadESt12memory_order", LOAD, 3},
    {"_ZNSt10_Sp_atomicI", "EE4swapER", SWAP, 3},
    {"_ZNSt10_Sp_atomicI", "EE23compare_exchange_strongER", COMPARE_EXCHANGE, 5},
    {"_ZNSt6atomicISt10shared_ptrI", "EE5storeES", STORE, 3},
    {"_ZNSt6atomicISt8weak_ptrI", "EE5storeES", STORE, 3},
    {"_ZSt20atomic_load_explicitI", "ESt10shared_ptrIT_EPK", LOAD, 3},
    {"_ZSt21atomic_store_explicitI", "EvPSt10shared_ptrIT_E", STORE, 3},
    {"_ZSt24atomic_exchange_explicitI", "ESt10shared_ptrIT_EP", EXCHANGE, 4},
    {"_ZSt39atomic_compare_exchange_strong_explicitI", "EbPSt10shared_ptrIT_E", COMPARE_EXCHANGE,
     5},
};

static deed deed_of(LLVMValueRef function)
{
    size_t length;
    const char *symbol = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (ser_starts_with(symbol, operations[i].begin) && strstr(symbol, operations[i].middle) &&
            LLVMCountParams(function) == operations[i].parameters)
            return operations[i].what;
    return NOTHING;
}

static bool is_weak(LLVMValueRef function)
{
    size_t length;
    return strstr(LLVMGetValueName2(function, &length), "ISt8weak_ptrI") != NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* With optimisation, that of the base class is called. */
static bool is_destructor(const char *name)
{
    static const char *const classes[] = {"_ZNSt10shared_ptrI", "_ZNSt12__shared_ptrI",
                                          "_ZNSt8weak_ptrI", "_ZNSt10__weak_ptrI"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (ser_starts_with(name, classes[i]))
            return ends_with(name, "D1Ev") || ends_with(name, "D2Ev");
    return false;
}

/* The function that destroys such a pointer, of those that are called; NULL: none. */
static LLVMValueRef find_destructor(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            if (!LLVMIsACallInst(at) && !LLVMIsAInvokeInst(at))
                continue;
            if (is_destructor(ser_called_name(at)))
                return ser_called_function(at);
        }
    return NULL;
}

/* --- bodies ------------------------------------------------------------------- */

typedef struct body {
    ser_unit *unit;
    LLVMValueRef function, destructor;
    LLVMTypeRef words; /* of a pointer */
    bool weak;
} body;

static LLVMBasicBlockRef begin(const body *made)
{
    ser_unit *unit = made->unit;
    ser_empty_function(made->function);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(unit->context, made->function, "");
    LLVMPositionBuilderAtEnd(unit->builder, entry);
    LLVMMetadataRef scope = LLVMGetSubprogram(made->function);
    unsigned line = scope ? LLVMDISubprogramGetLine(scope) : 0;
    LLVMSetCurrentDebugLocation2(
        unit->builder,
        scope ? LLVMDIBuilderCreateDebugLocation(unit->context, line, 0, scope, NULL) : NULL);
    return entry;
}

static LLVMValueRef parameter(const body *made, unsigned number)
{
    return LLVMGetParam(made->function, number);
}

static LLVMValueRef no_site(const body *made)
{
    return LLVMConstNull(made->unit->pointer);
}

static LLVMValueRef get(const body *made, LLVMValueRef pointer)
{
    LLVMBuilderRef builder = made->unit->builder;
    pointer = LLVMBuildBitCast(builder, pointer, LLVMPointerType(made->words, 0), "");
    LLVMValueRef words = LLVMBuildLoad2(builder, made->words, pointer, "");
    LLVMSetAlignment(words, sizeof(uint64_t));
    return words;
}

static void put(const body *made, LLVMValueRef pointer, LLVMValueRef words)
{
    LLVMBuilderRef builder = made->unit->builder;
    pointer = LLVMBuildBitCast(builder, pointer, LLVMPointerType(made->words, 0), "");
    LLVMSetAlignment(LLVMBuildStore(builder, words, pointer), sizeof(uint64_t));
}

static void make_load(const body *made)
{
    begin(made);
    SER_CALL(made->unit, made->weak ? "__seriatim_weak_load" : "__seriatim_shared_load",
             parameter(made, 1), parameter(made, 0), no_site(made));
    LLVMBuildRetVoid(made->unit->builder);
}

static void make_swap(const body *made, const char *name)
{
    begin(made);
    SER_CALL(made->unit, name, parameter(made, 0), parameter(made, 1), no_site(made));
    LLVMBuildRetVoid(made->unit->builder);
}

/* What is given is what was there then; it moves to the result. */
static void make_exchange(const body *made)
{
    begin(made);
    SER_CALL(made->unit, "__seriatim_shared_exchange", parameter(made, 1), parameter(made, 2),
             no_site(made));
    put(made, parameter(made, 0), get(made, parameter(made, 2)));
    put(made, parameter(made, 2), LLVMConstNull(made->words));
    LLVMBuildRetVoid(made->unit->builder);
}

/* A failed one makes what was there the expected pointer, and drops the one before it. */
static void make_compare_exchange(const body *made)
{
    ser_unit *unit = made->unit;
    LLVMBuilderRef builder = unit->builder;
    begin(made);
    LLVMBasicBlockRef failed = LLVMAppendBasicBlockInContext(unit->context, made->function, ""),
                      done = LLVMAppendBasicBlockInContext(unit->context, made->function, "");
    LLVMValueRef expected = parameter(made, 1);
    LLVMValueRef seen = LLVMBuildAlloca(builder, made->words, "");
    LLVMSetAlignment(seen, sizeof(uint64_t));
    put(made, seen, get(made, expected));
    LLVMValueRef result = SER_CALL(unit,
                                   made->weak ? "__seriatim_weak_compare_exchange"
                                              : "__seriatim_shared_compare_exchange",
                                   parameter(made, 0), seen, parameter(made, 2), no_site(made));
    LLVMValueRef equal = LLVMBuildICmp(builder, LLVMIntNE, result, LLVMConstNull(unit->i32), "");
    LLVMBuildCondBr(builder, equal, done, failed);

    LLVMPositionBuilderAtEnd(builder, failed);
    LLVMValueRef before = get(made, expected);
    put(made, expected, get(made, seen));
    put(made, seen, before);
    LLVMTypeRef type = LLVMGlobalGetValueType(made->destructor);
    LLVMValueRef dropped =
        LLVMBuildBitCast(builder, seen, LLVMTypeOf(LLVMGetParam(made->destructor, 0)), "");
    LLVMBuildCall2(builder, type, made->destructor, &dropped, 1, "");
    LLVMBuildBr(builder, done);

    LLVMPositionBuilderAtEnd(builder, done);
    LLVMBuildRet(builder,
                 LLVMBuildIntCast2(builder, equal,
                                   LLVMGetReturnType(LLVMGlobalGetValueType(made->function)), false,
                                   ""));
}

bool ser_tell_pointer(ser_unit *unit, LLVMValueRef function)
{
    deed what = deed_of(function);
    if (what == NOTHING)
        return false;
    LLVMTypeRef word[] = {unit->i64, unit->i64};
    body made = {.unit = unit,
                 .function = function,
                 .destructor = find_destructor(function),
                 .words = LLVMStructTypeInContext(unit->context, word, 2, false),
                 .weak = is_weak(function)};
    if (what == LOAD)
        make_load(&made);
    else if (what == STORE)
        make_swap(&made, "__seriatim_shared_store");
    else if (what == SWAP)
        make_swap(&made, "__seriatim_shared_exchange");
    else if (what == EXCHANGE)
        make_exchange(&made);
    else if (made.destructor)
        make_compare_exchange(&made);
    return true;
}

/* --- calls --------------------------------------------------------------------- */

bool ser_is_pointer_call(LLVMValueRef call)
{
    const char *name = ser_called_name(call);
    return ser_starts_with(name, "__seriatim_shared_") || ser_starts_with(name, "__seriatim_weak_");
}

unsigned ser_pointer_flags(LLVMValueRef call)
{
    bool updates = strcmp(ser_called_name(call), "__seriatim_shared_exchange") == 0;
    return SER_ABI_SITE_ATOMIC | (updates ? SER_ABI_SITE_MODIFIES : 0U);
}
