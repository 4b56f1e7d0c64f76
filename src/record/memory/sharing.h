/* SPDX-License-Identifier: MIT */
/*
 * sharing.h - which memory did more than one thread access?
 *
 * Kept for eight bytes at a time: the only thread that accessed any of them, or that there were
 * several. So the answer "only one" is certain; "several" may be wrong for a neighbour of something
 * shared.
 *
 * Memory: two bytes for each eight that were touched, in pieces of 128 bytes; 16
 * bytes for each object of at most 64. Expected O(1) for an access, O(size / 8) for a
 * range. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_SHARING_H
#define SER_RECORD_MEMORY_SHARING_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "record/memory/objects.h"

enum { SER_SHARING_GRAIN = 8, SER_SHARING_SMALL = 8, SER_SHARING_CHUNK = 64 };

/* Thread plus one; 0: none yet. */
typedef struct ser_sharing_small {
    uint16_t owner[SER_SHARING_SMALL];
} ser_sharing_small;

typedef struct ser_sharing_chunk {
    uint16_t owner[SER_SHARING_CHUNK];
} ser_sharing_chunk;

typedef struct ser_sharing {
    SER_VECTOR(ser_sharing_small) small; /* by id */
    ser_pairmap numbers;                 /* (id, offset / 512) to its place in chunks */
    SER_VECTOR(ser_sharing_chunk) chunks;
} ser_sharing;

/* An all-zero one is empty and valid. */
void ser_sharing_fini(ser_sharing *sharing);

/* The thread accesses [offset, end) of the object. */
void ser_sharing_add(ser_sharing *sharing, const ser_memory_object *object, uint64_t offset,
                     uint64_t end, uint16_t thread);

/* May several threads have accessed the byte at the offset? */
bool ser_sharing_is_shared(const ser_sharing *sharing, const ser_memory_object *object,
                           uint64_t offset);

#endif
