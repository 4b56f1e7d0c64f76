/* SPDX-License-Identifier: MIT */
/*
 * recall.h - a cache of accesses, so that one that is repeated costs little.
 *
 * Programs access the same places again and again, with the same size. While the object there is
 * the same and has lost no bytes, everything that was looked up for such an access is still valid.
 * Direct-mapped by address; 256 KiB to 1.5 MiB, which the caches of today hold. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_RECALL_H
#define SER_RECORD_MEMORY_RECALL_H

#include <stdbool.h>

#include "record/memory/objects.h"

enum { SER_RECALL_ENTRIES = 1 << 15 };

typedef struct ser_recalled {
    uint64_t address;
    uint32_t slot, id;
    uint32_t word; /* the caller's */
    uint8_t size;  /* 0: nothing here */
    bool flag;     /* the caller's */
} ser_recalled;

typedef struct ser_recall {
    ser_recalled entries[SER_RECALL_ENTRIES];
} ser_recall;

static inline uint64_t ser_recall_place(uint64_t address)
{
    return (address ^ address >> 15) % SER_RECALL_ENTRIES;
}

static inline ser_recalled *ser_recall_entry(ser_recall *recall, uint64_t address)
{
    return &recall->entries[ser_recall_place(address)];
}

/* Prefetches, for callers that know later accesses: a lookup would wait for memory. */
static inline void ser_recall_fetch(const ser_recall *recall, uint64_t address)
{
    __builtin_prefetch(&recall->entries[ser_recall_place(address)]);
}

/* Remembers an access of which the object in the slot has every byte. The rest is known by
 * page, so that an access must not go beyond one. NULL: it cannot be remembered. */
static inline ser_recalled *ser_recall_keep(ser_recall *recall, const ser_objects *objects,
                                            uint32_t slot, uint64_t address, uint8_t size)
{
    uint64_t last = address + size - 1;
    if (size == 0 || (address ^ last) >> SER_OBJECT_PAGE_BITS != 0)
        return NULL;
    ser_recalled *entry = ser_recall_entry(recall, address);
    *entry = (ser_recalled){
        .address = address, .slot = slot, .id = objects->slots.items[slot].id, .size = size};
    return entry;
}

/* Forgets all accesses that have bytes in a stretch. */
static inline void ser_recall_forget(ser_recall *recall, uint64_t start, uint64_t end)
{
    enum { LONGEST = 16 };
    bool all = end - start >= SER_RECALL_ENTRIES;
    for (uint64_t i = 0; all && i < SER_RECALL_ENTRIES; i++)
        recall->entries[i].size = 0;
    for (uint64_t address = start - (LONGEST - 1); !all && address != end; address++)
        if (ser_recall_entry(recall, address)->address == address)
            ser_recall_entry(recall, address)->size = 0;
}

/* Is this the access that was remembered here, and is its object as it was? */
static inline bool ser_recall_holds(const ser_recalled *entry, const ser_objects *objects,
                                    uint64_t address, uint8_t size)
{
    return entry->address == address && entry->size == size &&
           ser_objects_is_still(objects, entry->slot, entry->id, address);
}

#endif
