/* SPDX-License-Identifier: MIT */
/*
 * The atomic accesses of abi.h. The usual ones take the fast path, as plain accesses do; the rest
 * goes through ser_access_do.
 */
#include <string.h>

#include "runtime/access/access.h"

enum { EXCHANGE = 0, ADD = 1, SUBTRACT = 2 }; /* the kinds of abi.h */

#define SER_X(N, TYPE)                                                                             \
    SER_EXPORT TYPE __seriatim_atomic_load##N(const void *address, ser_abi_site *site)             \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin(me, site, (uintptr_t)address, N, true);                     \
        if (way != SER_SLOW) {                                                                     \
            TYPE value = __atomic_load_n((const TYPE *)address, __ATOMIC_SEQ_CST);                 \
            ser_access_end(me, way, (uintptr_t)address, value,                                     \
                           ser_tag(SER_OP_READ, N, site->number));                                 \
            return value;                                                                          \
        }                                                                                          \
        ser_runtime_access access = {                                                              \
            .kind = SER_ACCESS_ATOMIC_LOAD, .size = N, .address = (void *)(uintptr_t)address};     \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT void __seriatim_atomic_store##N(void *address, TYPE value, ser_abi_site *site)      \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin_write(me, site, (uintptr_t)address, N);                     \
        if (way != SER_SLOW) {                                                                     \
            __atomic_store_n((TYPE *)address, value, __ATOMIC_SEQ_CST);                            \
            ser_access_end(me, way, (uintptr_t)address, value,                                     \
                           ser_tag(SER_OP_WRITE, N, site->number));                                \
            return;                                                                                \
        }                                                                                          \
        ser_runtime_access access = {                                                              \
            .kind = SER_ACCESS_ATOMIC_STORE, .size = N, .address = address, .value.word = value};  \
        ser_access_do(&access, site);                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT TYPE __seriatim_atomic_rmw##N(void *address, TYPE operand, ser_abi_u32 kind,        \
                                             ser_abi_site *site)                                   \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way =                                                                              \
            kind > SUBTRACT ? SER_SLOW : ser_access_begin_write(me, site, (uintptr_t)address, N);  \
        if (way != SER_SLOW) {                                                                     \
            TYPE change = kind == SUBTRACT ? (TYPE)-operand : operand;                             \
            TYPE old = kind == EXCHANGE                                                            \
                           ? __atomic_exchange_n((TYPE *)address, operand, __ATOMIC_SEQ_CST)       \
                           : __atomic_fetch_add((TYPE *)address, change, __ATOMIC_SEQ_CST);        \
            TYPE value = kind == EXCHANGE ? operand : (TYPE)(old + change);                        \
            ser_access_end(me, way, (uintptr_t)address, value,                                     \
                           ser_tag(SER_OP_RMW, N, site->number));                                  \
            return old;                                                                            \
        }                                                                                          \
        ser_runtime_access access = {.kind = SER_ACCESS_RMW,                                       \
                                     .size = N,                                                    \
                                     .rmw = kind,                                                  \
                                     .address = address,                                           \
                                     .value.word = operand};                                       \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT TYPE __seriatim_atomic_compare_exchange##N(void *address, TYPE expected,            \
                                                          TYPE desired, ser_abi_site *site)        \
    {                                                                                              \
        ser_thread *me = ser_self;                                                                 \
        ser_way way = ser_access_begin_write(me, site, (uintptr_t)address, N);                     \
        if (way != SER_SLOW) {                                                                     \
            TYPE old = expected;                                                                   \
            bool equal = __atomic_compare_exchange_n((TYPE *)address, &old, desired, false,        \
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
            ser_access_end(me, way, (uintptr_t)address, equal ? desired : old,                     \
                           ser_tag(equal ? SER_OP_RMW : SER_OP_READ, N, site->number));            \
            return old;                                                                            \
        }                                                                                          \
        ser_runtime_access access = {.kind = SER_ACCESS_COMPARE_EXCHANGE,                          \
                                     .size = N,                                                    \
                                     .address = address,                                           \
                                     .value.word = desired,                                        \
                                     .expected.word = expected};                                   \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }
SER_X(1, uint8_t)
SER_X(2, uint16_t)
SER_X(4, uint32_t)
SER_X(8, uint64_t)
#undef SER_X

SER_EXPORT ser_abi_u8 __seriatim_guard_load(const void *address, ser_abi_site *site)
{
    if (__atomic_load_n((const ser_abi_u8 *)address, __ATOMIC_SEQ_CST) == 0)
        return 0;
    return __seriatim_atomic_load1(address, site);
}

SER_EXPORT void __seriatim_atomic_load16(const void *address, void *to, ser_abi_site *site)
{
    ser_runtime_access access = {
        .kind = SER_ACCESS_ATOMIC_LOAD, .size = 16, .address = (void *)(uintptr_t)address};
    ser_access_do(&access, site);
    memcpy(to, access.old.bytes, 16);
}

SER_EXPORT void __seriatim_atomic_store16(void *address, const void *from, ser_abi_site *site)
{
    ser_runtime_access access = {.kind = SER_ACCESS_ATOMIC_STORE, .size = 16, .address = address};
    memcpy(access.value.bytes, from, 16);
    ser_access_do(&access, site);
}

SER_EXPORT void __seriatim_atomic_exchange16(void *address, const void *from, void *old,
                                             ser_abi_site *site)
{
    ser_runtime_access access = {.kind = SER_ACCESS_RMW, .size = 16, .address = address};
    memcpy(access.value.bytes, from, 16);
    ser_access_do(&access, site);
    memcpy(old, access.old.bytes, 16);
}

SER_EXPORT int __seriatim_atomic_compare_exchange16(void *address, void *expected,
                                                    const void *desired, ser_abi_site *site)
{
    ser_runtime_access access = {
        .kind = SER_ACCESS_COMPARE_EXCHANGE, .size = 16, .address = address};
    memcpy(access.value.bytes, desired, 16);
    memcpy(access.expected.bytes, expected, 16);
    ser_access_do(&access, site);
    memcpy(expected, access.old.bytes, 16);
    return access.old.wide == access.expected.wide;
}
