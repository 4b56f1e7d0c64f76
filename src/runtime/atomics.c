/* SPDX-License-Identifier: MIT */
/*
 * The atomic accesses of abi.h: all through ser_access_do.
 */
#include <string.h>

#include "runtime/access.h"

#define SER_X(N, TYPE)                                                                             \
    SER_EXPORT TYPE __seriatim_atomic_load##N(const void *address, ser_abi_site *site)             \
    {                                                                                              \
        ser_access access = {                                                                      \
            .kind = SER_ACCESS_ATOMIC_LOAD, .size = N, .address = (void *)(uintptr_t)address};     \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT void __seriatim_atomic_store##N(void *address, TYPE value, ser_abi_site *site)      \
    {                                                                                              \
        ser_access access = {                                                                      \
            .kind = SER_ACCESS_ATOMIC_STORE, .size = N, .address = address, .value.word = value};  \
        ser_access_do(&access, site);                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT TYPE __seriatim_atomic_rmw##N(void *address, TYPE operand, ser_abi_u32 kind,        \
                                             ser_abi_site *site)                                   \
    {                                                                                              \
        ser_access access = {.kind = SER_ACCESS_RMW,                                               \
                             .size = N,                                                            \
                             .rmw = kind,                                                          \
                             .address = address,                                                   \
                             .value.word = operand};                                               \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }                                                                                              \
                                                                                                   \
    SER_EXPORT TYPE __seriatim_atomic_compare_exchange##N(void *address, TYPE expected,            \
                                                          TYPE desired, ser_abi_site *site)        \
    {                                                                                              \
        ser_access access = {.kind = SER_ACCESS_COMPARE_EXCHANGE,                                  \
                             .size = N,                                                            \
                             .address = address,                                                   \
                             .value.word = desired,                                                \
                             .expected.word = expected};                                           \
        ser_access_do(&access, site);                                                              \
        return (TYPE)access.old.word;                                                              \
    }
SER_X(1, uint8_t)
SER_X(2, uint16_t)
SER_X(4, uint32_t)
SER_X(8, uint64_t)
#undef SER_X

SER_EXPORT void __seriatim_atomic_load16(const void *address, void *to, ser_abi_site *site)
{
    ser_access access = {
        .kind = SER_ACCESS_ATOMIC_LOAD, .size = 16, .address = (void *)(uintptr_t)address};
    ser_access_do(&access, site);
    memcpy(to, access.old.bytes, 16);
}

SER_EXPORT void __seriatim_atomic_store16(void *address, const void *from, ser_abi_site *site)
{
    ser_access access = {.kind = SER_ACCESS_ATOMIC_STORE, .size = 16, .address = address};
    memcpy(access.value.bytes, from, 16);
    ser_access_do(&access, site);
}

SER_EXPORT void __seriatim_atomic_exchange16(void *address, const void *from, void *old,
                                             ser_abi_site *site)
{
    ser_access access = {.kind = SER_ACCESS_RMW, .size = 16, .address = address};
    memcpy(access.value.bytes, from, 16);
    ser_access_do(&access, site);
    memcpy(old, access.old.bytes, 16);
}

SER_EXPORT int __seriatim_atomic_compare_exchange16(void *address, void *expected,
                                                    const void *desired, ser_abi_site *site)
{
    ser_access access = {.kind = SER_ACCESS_COMPARE_EXCHANGE, .size = 16, .address = address};
    memcpy(access.value.bytes, desired, 16);
    memcpy(access.expected.bytes, expected, 16);
    ser_access_do(&access, site);
    memcpy(expected, access.old.bytes, 16);
    return access.old.wide == access.expected.wide;
}
