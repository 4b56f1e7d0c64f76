/* SPDX-License-Identifier: MIT */
/*
 * access.h - performing one access and recording it, the general way.
 *
 * An access of up to 16 bytes, plain or atomic, described by a small structure: the
 * slow path of abi.h's functions, and the way of the rarer ones. It takes the token
 * (or the lock of the line), performs, records, and gives it back.
 */
#ifndef SER_RUNTIME_ACCESS_H
#define SER_RUNTIME_ACCESS_H

#include "runtime/runtime.h"

typedef enum ser_access_kind {
    SER_ACCESS_LOAD,
    SER_ACCESS_STORE,
    SER_ACCESS_ATOMIC_LOAD,
    SER_ACCESS_ATOMIC_STORE,
    SER_ACCESS_RMW, /* 16 bytes: exchange only */
    SER_ACCESS_COMPARE_EXCHANGE,
} ser_access_kind;

typedef union ser_value {
    uint64_t word;
    unsigned char bytes[16];
    unsigned __int128 wide;
} ser_value;

typedef struct ser_access {
    ser_access_kind kind;
    uint32_t size; /* 1 to 16 for plain accesses, else 1, 2, 4, 8 or 16 */
    uint32_t rmw;  /* which, as abi.h numbers them */
    void *address;
    ser_value value;    /* in: what to store, or the operand */
    ser_value expected; /* in, of a compare-exchange */
    ser_value old;      /* out: what was read */
} ser_access;

/* Performs, and records if this thread records. */
void ser_access_do(ser_access *access, ser_abi_site *site);

#endif
