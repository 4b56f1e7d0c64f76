/* SPDX-License-Identifier: MIT */
/*
 * At first all loads are taken to be followed; whichever turns out to reach something else is none,
 * and then neither are the stores and guards that it takes part in: until nothing changes.
 */
#include "instrument/code/followed.h"

#include <stdio.h>
#include <string.h>

#include "instrument/accesses/flows.h"
#include "instrument/code/operations.h"
#include "instrument/code/reentry.h"
#include "instrument/guards/carried.h"
#include "instrument/guards/guards.h"

enum { MOST_LOADS = 200, MOST_ROUNDS = 30 };

static bool has_value(const ser_unit *unit, LLVMTypeRef type)
{
    unsigned width = ser_scalar_width(unit, type);
    return width == 8 || width == 16 || width == 32 || width == 64;
}

/* Different for each load of a program, in practice: 13 digits at most, since they
 * stand in texts. */
static uint64_t fresh_key(const ser_unit *unit, LLVMValueRef load, size_t number)
{
    size_t length;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + number;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load));
    const char *parts[] = {LLVMGetModuleIdentifier(unit->module, &length),
                           LLVMGetValueName2(function, &length)};
    for (size_t i = 0; i < 2; i++)
        for (const char *at = parts[i]; *at; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return (hash >> 22) + 1;
}

uint64_t ser_followed_key(const ser_followed *followed, LLVMValueRef load)
{
    for (size_t i = 0; i < followed->loads.count; i++)
        if (followed->loads.items[i] == load)
            return followed->keys.items[i];
    return 0;
}

const ser_followed_store *ser_followed_store_of(const ser_followed *followed, LLVMValueRef store)
{
    for (size_t i = 0; i < followed->stores.count; i++)
        if (followed->stores.items[i].store == store && *followed->stores.items[i].text)
            return &followed->stores.items[i];
    return NULL;
}

bool ser_followed_stores(const ser_followed *followed, LLVMValueRef store, LLVMValueRef load)
{
    uint64_t key = ser_followed_key(followed, load);
    const ser_followed_store *known = key ? ser_followed_store_of(followed, store) : NULL;
    return known && (ser_expression_names(known->text, key) ||
                     ser_carried_names(followed, known->text, load));
}

/* Some instructions deep. */
static bool only_stores(const ser_followed *followed, LLVMValueRef value, LLVMValueRef load,
                        unsigned depth)
{
    bool good = depth > 0;
    for (LLVMUseRef each = LLVMGetFirstUse(value); each && good; each = LLVMGetNextUse(each)) {
        LLVMValueRef user = LLVMGetUser(each);
        if (LLVMIsAStoreInst(user))
            good = LLVMGetOperand(user, 1) != value && ser_followed_stores(followed, user, load);
        else
            good = (LLVMIsABinaryOperator(user) || LLVMIsACastInst(user)) &&
                   only_stores(followed, user, load, depth - 1);
    }
    return good;
}

bool ser_followed_only_stores(const ser_followed *followed, LLVMValueRef value, LLVMValueRef load)
{
    enum { DEEPEST = 4 };
    return ser_followed_key(followed, load) && only_stores(followed, value, load, DEEPEST);
}

static void add_load(ser_followed *followed, LLVMValueRef load)
{
    uint64_t key = fresh_key(followed->unit, load, followed->loads.count);
    ser_vector_push(&followed->loads, load);
    ser_vector_push(&followed->keys, key);
}

static void list_access(ser_followed *followed, ser_locality *locality, LLVMValueRef at)
{
    bool is_load = LLVMIsALoadInst(at), is_store = LLVMIsAStoreInst(at);
    bool updates = LLVMIsAAtomicRMWInst(at) && ser_is_update_of_abi(followed->unit, at);
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(at, 0) : at);
    if (!(is_load || is_store || updates) || !has_value(followed->unit, type) ||
        !ser_is_recorded(followed->unit, locality, at))
        return;
    if (!is_load)
        ser_vector_push(&followed->stores, ((ser_followed_store){.store = at}));
    if (!is_store)
        add_load(followed, at);
}

static void list_accesses(ser_followed *followed, ser_locality *locality)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(followed->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            list_access(followed, locality, at);
}

/* With the loads that are still followed. */
static void express_stores(ser_followed *followed)
{
    for (size_t i = 0; i < followed->stores.count; i++) {
        ser_followed_store *store = &followed->stores.items[i];
        ser_expression expression;
        bool good = LLVMIsAStoreInst(store->store)
                        ? ser_express(&expression, followed, LLVMGetOperand(store->store, 0),
                                      store->store, NULL)
                        : ser_express_update(&expression, followed, store->store, NULL);
        store->operands = good ? expression.operands : (ser_operands){0};
        snprintf(store->text, sizeof store->text, "%s", good ? expression.text : "");
    }
}

/* True: others are followed than before. */
static bool drop_loads(ser_followed *followed)
{
    bool changed = false;
    for (size_t i = 0; i < followed->loads.count; i++) {
        char text[SER_GUARDS_SIZE];
        ser_operands operands;
        if (!followed->keys.items[i] ||
            ser_guards_of_load(followed->unit, followed, followed->loads.items[i], text, &operands))
            continue;
        followed->keys.items[i] = 0;
        changed = true;
    }
    return changed;
}

static void drop_all(ser_followed *followed)
{
    followed->loads.count = followed->keys.count = followed->stores.count = 0;
}

void ser_followed_init(ser_followed *followed, ser_unit *unit, ser_locality *locality,
                       LLVMValueRef function)
{
    *followed = (ser_followed){
        .unit = unit, .function = function, .dominance = ser_dominance_create(function)};
    if (ser_may_be_reentered(unit, function))
        return;
    list_accesses(followed, locality);
    if (followed->loads.count > MOST_LOADS || followed->stores.count > MOST_LOADS)
        drop_all(followed);
    ser_carried_find(followed);
    unsigned rounds = 0;
    do
        express_stores(followed);
    while (drop_loads(followed) && ++rounds < MOST_ROUNDS);
    if (rounds == MOST_ROUNDS)
        drop_all(followed);
}

void ser_followed_fini(ser_followed *followed)
{
    ser_vector_free(&followed->loads);
    ser_vector_free(&followed->keys);
    ser_vector_free(&followed->stores);
    ser_carried_fini(followed);
    ser_dominance_destroy(followed->dominance);
}
