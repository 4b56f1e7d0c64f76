/* SPDX-License-Identifier: MIT */
/*
 * managed.h - addresses for what has none: objects that a garbage collector moves, as those of
 * Java.
 *
 * An object is known by its identity, a number that no other object of the run has; 0 stands for
 * what belongs to no object, such as static fields. An address is made of the identity and of a
 * place in the object: an element of an array, by its index; a field, by a number that the runtime
 * gives it; or the object as a whole. Such addresses have the highest bit, which no pointer of a
 * program has. A record OBJECT (channel.h) gives an identity its name.
 */
#ifndef SER_CONTRACT_MANAGED_H
#define SER_CONTRACT_MANAGED_H

#include <stdbool.h>
#include <stdint.h>

#define SER_MANAGED_BIT        (UINT64_C(1) << 63)
#define SER_MANAGED_FIELD_BIT  (UINT64_C(1) << 31) /* else an element */
#define SER_MANAGED_MOST_CELLS (UINT64_C(1) << 27) /* elements, or fields; further ones share */
/* As a field: the object as a whole, its lock and its contents; behind it, parts of its contents.
 */
#define SER_MANAGED_WHOLE (SER_MANAGED_MOST_CELLS - 256)

static inline uint64_t ser_managed_element(uint32_t identity, uint64_t index)
{
    return SER_MANAGED_BIT | (uint64_t)identity << 32 | index % SER_MANAGED_MOST_CELLS * 8;
}

static inline uint64_t ser_managed_field(uint32_t identity, uint64_t number)
{
    return ser_managed_element(identity, number) | SER_MANAGED_FIELD_BIT;
}

static inline uint64_t ser_managed_whole(uint32_t identity)
{
    return ser_managed_field(identity, SER_MANAGED_WHOLE);
}

static inline bool ser_managed_is(uint64_t address)
{
    return address & SER_MANAGED_BIT;
}

static inline bool ser_managed_is_field(uint64_t address)
{
    return address & SER_MANAGED_FIELD_BIT;
}

/* Of the element or field. */
static inline uint64_t ser_managed_number(uint64_t address)
{
    return (uint32_t)(address & ~SER_MANAGED_FIELD_BIT) / 8;
}

static inline uint32_t ser_managed_identity(uint64_t address)
{
    return (uint32_t)((address & ~SER_MANAGED_BIT) >> 32);
}

#endif
