/* SPDX-License-Identifier: MIT */
/*
 * Shared pointers that threads exchange: each operation is one access, of the word that points to
 * the object. Counters of references are counted here, and not recorded: nothing in the program
 * depends on how many there are, but whether the last one went.
 *
 * The layout is a part of libstdc++'s ABI. Its lock, the lowest bit of the pointer to the counters,
 * is taken, too, so that code that is not instrumented may use the same pointer.
 */
#include "runtime/access/access.h"

typedef uint64_t __attribute__((may_alias)) any_word;

typedef struct pointer {
    any_word object, counters;
} pointer;

/* Where the counters are: behind the pointer to their table of virtual functions. */
enum { SHARED_COUNT = 8, WEAK_COUNT = 12 };
static const uint64_t lock_bit = 1;

static uint64_t lock(pointer *shared)
{
    uint64_t counters = __atomic_load_n(&shared->counters, __ATOMIC_RELAXED) & ~lock_bit;
    while (!__atomic_compare_exchange_n(&shared->counters, &counters, counters | lock_bit, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        counters &= ~lock_bit;
    return counters;
}

static void unlock(pointer *shared, uint64_t counters)
{
    __atomic_store_n(&shared->counters, counters, __ATOMIC_SEQ_CST);
}

/* With one reference more. */
static void copy(pointer *to, uint64_t object, uint64_t counters, uint64_t count_offset)
{
    to->object = object;
    to->counters = counters;
    if (counters)
        __atomic_fetch_add((int *)(uintptr_t)(counters + count_offset), 1, __ATOMIC_RELAXED);
}

static void load(ser_runtime_access *access, pointer *shared, uint64_t counters)
{
    copy(access->pointers[0], shared->object, counters, access->rmw);
    unlock(shared, counters);
}

static void exchange(ser_runtime_access *access, pointer *shared, uint64_t counters)
{
    pointer *other = access->pointers[0];
    access->value.word = other->object;
    uint64_t given = other->counters;
    *other = (pointer){shared->object, counters};
    shared->object = access->value.word;
    unlock(shared, given);
}

static bool compare_exchange(ser_runtime_access *access, pointer *shared, uint64_t counters)
{
    pointer *expected = access->pointers[0], *desired = access->pointers[1];
    bool equal = shared->object == expected->object && counters == expected->counters;
    if (!equal) {
        copy(expected, shared->object, counters, access->rmw);
        unlock(shared, counters);
        return false;
    }
    access->value.word = desired->object;
    shared->object = desired->object;
    unlock(shared, desired->counters);
    desired->counters = counters; /* the caller drops it */
    return true;
}

ser_op ser_pointer_perform(ser_runtime_access *access)
{
    pointer *shared = access->address;
    uint64_t counters = lock(shared);
    access->old.word = shared->object;
    switch (access->kind) {
    case SER_ACCESS_POINTER_LOAD:
        load(access, shared, counters);
        return SER_OP_READ;
    case SER_ACCESS_POINTER_STORE:
        exchange(access, shared, counters);
        return SER_OP_WRITE;
    case SER_ACCESS_POINTER_EXCHANGE:
        exchange(access, shared, counters);
        return SER_OP_RMW;
    default:
        return compare_exchange(access, shared, counters) ? SER_OP_RMW : SER_OP_READ;
    }
}

static ser_op perform(ser_access_kind kind, const void *shared, void *first, void *second,
                      uint32_t count_offset, ser_abi_site *site)
{
    ser_runtime_access access = {.kind = kind,
                                 .size = sizeof(uint64_t),
                                 .rmw = count_offset,
                                 .address = (void *)(uintptr_t)shared,
                                 .pointers = {first, second}};
    return ser_access_do(&access, site);
}

SER_EXPORT void __seriatim_shared_load(const void *shared, void *to, ser_abi_site *site)
{
    perform(SER_ACCESS_POINTER_LOAD, shared, to, 0, SHARED_COUNT, site);
}

SER_EXPORT void __seriatim_weak_load(const void *shared, void *to, ser_abi_site *site)
{
    perform(SER_ACCESS_POINTER_LOAD, shared, to, 0, WEAK_COUNT, site);
}

SER_EXPORT void __seriatim_shared_store(void *shared, void *from, ser_abi_site *site)
{
    perform(SER_ACCESS_POINTER_STORE, shared, from, 0, 0, site);
}

SER_EXPORT void __seriatim_shared_exchange(void *shared, void *from, ser_abi_site *site)
{
    perform(SER_ACCESS_POINTER_EXCHANGE, shared, from, 0, 0, site);
}

SER_EXPORT int __seriatim_shared_compare_exchange(void *shared, void *expected, void *desired,
                                                  ser_abi_site *site)
{
    return perform(SER_ACCESS_POINTER_COMPARE_EXCHANGE, shared, expected, desired, SHARED_COUNT,
                   site) == SER_OP_RMW;
}

SER_EXPORT int __seriatim_weak_compare_exchange(void *shared, void *expected, void *desired,
                                                ser_abi_site *site)
{
    return perform(SER_ACCESS_POINTER_COMPARE_EXCHANGE, shared, expected, desired, WEAK_COUNT,
                   site) == SER_OP_RMW;
}
