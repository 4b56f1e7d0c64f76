/* SPDX-License-Identifier: MIT */
/*
 * The atomic operations of the TSan ABI, performed and recorded as those of abi.h.
 * Every order is at least as strong as asked for.
 */
#include <string.h>

#include "runtime/access/access.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

enum { EXCHANGE, ADD, SUB, AND, NAND, OR, XOR }; /* as abi.h numbers them */

static void perform(ser_runtime_access *access, uintptr_t code)
{
    access->code = code;
    ser_access_do(access, 0);
}

static ser_value read_modify_write(void *address, uint32_t size, uint32_t kind, ser_value operand,
                                   uintptr_t code)
{
    ser_runtime_access access = {
        .kind = SER_ACCESS_RMW, .size = size, .rmw = kind, .address = address, .value = operand};
    perform(&access, code);
    return access.old;
}

static bool compare_exchange(void *address, uint32_t size, ser_value *expected, ser_value desired,
                             uintptr_t code)
{
    ser_runtime_access access = {.kind = SER_ACCESS_COMPARE_EXCHANGE,
                                 .size = size,
                                 .address = address,
                                 .value = desired,
                                 .expected = *expected};
    perform(&access, code);
    *expected = access.old;
    return memcmp(access.old.bytes, access.expected.bytes, size) == 0;
}

#define OPERATION(BITS, TYPE, name, KIND)                                                          \
    TYPE __tsan_atomic##BITS##_##name(volatile TYPE *address, TYPE value, int order);              \
    SER_EXPORT TYPE __tsan_atomic##BITS##_##name(volatile TYPE *address, TYPE value, int order)    \
    {                                                                                              \
        (void)order;                                                                               \
        return (TYPE)read_modify_write((void *)(uintptr_t)address, sizeof(TYPE), KIND,             \
                                       (ser_value){.wide = value}, HERE)                           \
            .wide;                                                                                 \
    }

#define COMPARE_EXCHANGE(BITS, TYPE, name)                                                         \
    int __tsan_atomic##BITS##_compare_exchange_##name(volatile TYPE *address, TYPE *expected,      \
                                                      TYPE desired, int order, int fail);          \
    SER_EXPORT int __tsan_atomic##BITS##_compare_exchange_##name(                                  \
        volatile TYPE *address, TYPE *expected, TYPE desired, int order, int fail)                 \
    {                                                                                              \
        (void)order, (void)fail;                                                                   \
        ser_value seen = {.wide = *expected};                                                      \
        bool equal = compare_exchange((void *)(uintptr_t)address, sizeof(TYPE), &seen,             \
                                      (ser_value){.wide = desired}, HERE);                         \
        *expected = (TYPE)seen.wide;                                                               \
        return equal;                                                                              \
    }

#define BASICS(BITS, TYPE)                                                                         \
    TYPE __tsan_atomic##BITS##_load(const volatile TYPE *address, int order);                      \
    SER_EXPORT TYPE __tsan_atomic##BITS##_load(const volatile TYPE *address, int order)            \
    {                                                                                              \
        (void)order;                                                                               \
        ser_runtime_access access = {.kind = SER_ACCESS_ATOMIC_LOAD,                               \
                                     .size = sizeof(TYPE),                                         \
                                     .address = (void *)(uintptr_t)address};                       \
        perform(&access, HERE);                                                                    \
        return (TYPE)access.old.wide;                                                              \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile TYPE *address, TYPE value, int order);               \
    SER_EXPORT void __tsan_atomic##BITS##_store(volatile TYPE *address, TYPE value, int order)     \
    {                                                                                              \
        (void)order;                                                                               \
        ser_runtime_access access = {.kind = SER_ACCESS_ATOMIC_STORE,                              \
                                     .size = sizeof(TYPE),                                         \
                                     .address = (void *)(uintptr_t)address,                        \
                                     .value.wide = value};                                         \
        perform(&access, HERE);                                                                    \
    }                                                                                              \
    COMPARE_EXCHANGE(BITS, TYPE, strong)                                                           \
    COMPARE_EXCHANGE(BITS, TYPE, weak)                                                             \
    TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE *address, TYPE expected,         \
                                                    TYPE desired, int order, int fail);            \
    SER_EXPORT TYPE __tsan_atomic##BITS##_compare_exchange_val(                                    \
        volatile TYPE *address, TYPE expected, TYPE desired, int order, int fail)                  \
    {                                                                                              \
        (void)order, (void)fail;                                                                   \
        ser_value seen = {.wide = expected};                                                       \
        compare_exchange((void *)(uintptr_t)address, sizeof(TYPE), &seen,                          \
                         (ser_value){.wide = desired}, HERE);                                      \
        return (TYPE)seen.wide;                                                                    \
    }                                                                                              \
    OPERATION(BITS, TYPE, exchange, EXCHANGE)

#define ARITHMETIC(BITS, TYPE)                                                                     \
    OPERATION(BITS, TYPE, fetch_add, ADD)                                                          \
    OPERATION(BITS, TYPE, fetch_sub, SUB)                                                          \
    OPERATION(BITS, TYPE, fetch_and, AND)                                                          \
    OPERATION(BITS, TYPE, fetch_nand, NAND)                                                        \
    OPERATION(BITS, TYPE, fetch_or, OR)                                                            \
    OPERATION(BITS, TYPE, fetch_xor, XOR)

BASICS(8, uint8_t)
ARITHMETIC(8, uint8_t)
BASICS(16, uint16_t)
ARITHMETIC(16, uint16_t)
BASICS(32, uint32_t)
ARITHMETIC(32, uint32_t)
BASICS(64, uint64_t)
ARITHMETIC(64, uint64_t)
BASICS(128, unsigned __int128)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

SER_EXPORT void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

SER_EXPORT void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
