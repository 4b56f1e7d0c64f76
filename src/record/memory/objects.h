/* SPDX-License-Identifier: MIT */
/*
 * objects.h - which object does an address belong to at this moment of the run?
 *
 * An object is a stretch of memory with a life of its own: a heap block, a mapping, a thread's
 * stack, a local variable. Memory that is freed and given out again is a new object; until then it
 * is still the old one. What belongs to no object belongs to the *rest*: global variables, and
 * memory whose allocation was not recorded. Where objects overlap, the latest has the bytes.
 *
 * Objects are numbered in the order in which they begin, so that a second pass over the same
 * records gives the same numbers (ids). A slot holds an object as long as it lives, and then
 * another.
 *
 * Cost: O(log n) for the objects of a page; memory O(objects that have bytes of their own, living
 * or freed). Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_OBJECTS_H
#define SER_RECORD_MEMORY_OBJECTS_H

#include <stdbool.h>

#include "base/pairmap.h"
#include "base/vector.h"
#include "contract/channel.h"

typedef enum ser_memory_object_kind {
    SER_OBJECT_REST,
    SER_OBJECT_HEAP,
    SER_OBJECT_MAPPING,
    SER_OBJECT_STACK,
    SER_OBJECT_LOCAL,
} ser_memory_object_kind;

typedef struct ser_memory_object {
    uint64_t base, size; /* size 0: the slot is free */
    uint64_t left;       /* bytes that no later object has taken over */
    uint32_t id;         /* 0 is the rest */
    uint32_t site;       /* where it begins; 0: unknown */
    uint32_t instance;   /* for the user of this module; 0 at first */
    uint16_t thread;
    uint8_t kind;
    bool carved : 1;     /* some of its bytes are another object's */
    bool freed : 1;      /* for the user of this module; false at first */
    uint32_t *variables; /* for cuts.h; freed with the object */
} ser_memory_object;

/* A stretch of a page or of all memory that belongs to the object in a slot. */
typedef struct ser_stretch {
    uint64_t start, end;
    uint32_t slot;
} ser_stretch;

typedef SER_VECTOR(ser_stretch) ser_stretches; /* sorted, disjoint */

enum {
    SER_OBJECT_CACHE = 1 << 14,
    SER_OBJECT_LATEST = 1 << 12,
    SER_OBJECT_QUIET = 1024,
    SER_OBJECT_PAGE_BITS = 10,
};

typedef struct ser_objects {
    SER_VECTOR(ser_memory_object) slots; /* slot 0: the rest */
    SER_VECTOR(uint32_t) whole; /* by slot: the id of an object that has all its bytes; else 0 */
    SER_VECTOR(uint32_t) free_slots;
    uint32_t next_id;
    ser_pairmap page_numbers;           /* (0, page) to its place in pages */
    SER_VECTOR(ser_stretches) pages;    /* small objects */
    ser_stretches large;                /* objects that would fill too many pages */
    uint32_t cache[SER_OBJECT_CACHE];   /* by address / 16: a slot that may be the right one */
    uint32_t latest[SER_OBJECT_LATEST]; /* by base / 8: the slot that an object there got last */
    uint64_t quiet[SER_OBJECT_QUIET];   /* pages, plus one, that are known to be the rest's */
} ser_objects;

void ser_objects_init(ser_objects *objects);
void ser_objects_fini(ser_objects *objects);

/* Does what the record says about the life of objects; other records change
 * nothing. The new object, if one begins; valid until the next call. */
ser_memory_object *ser_objects_apply(ser_objects *objects, const ser_record *record);

/* The bytes from address on, at most size (above 0), that belong to one object. */
ser_stretch ser_objects_find(ser_objects *objects, uint64_t address, uint64_t size);

/* Is it memory that the program asked for, and gives back? */
static inline bool ser_object_can_be_freed(const ser_memory_object *object)
{
    return object->kind == SER_OBJECT_HEAP || object->kind == SER_OBJECT_MAPPING;
}

/* What free is called for is one block. Bytes behind those that were asked for may still be an
 * earlier one's, which was freed before. */
static inline bool ser_object_is_freed_with(const ser_memory_object *object,
                                            const ser_memory_object *first)
{
    return ser_object_can_be_freed(object) &&
           (object == first || object->kind != SER_OBJECT_HEAP || first->kind != SER_OBJECT_HEAP);
}

static inline ser_memory_object *ser_objects_at(ser_objects *objects, uint32_t slot)
{
    return &objects->slots.items[slot];
}

/* Does the address still belong to the object that had this slot and id, and has that all its
 * bytes? False may also mean that a full search would be needed. */
static inline bool ser_objects_is_still(const ser_objects *objects, uint32_t slot, uint32_t id,
                                        uint64_t address)
{
    if (slot != 0)
        return objects->whole.items[slot] == id;
    uint64_t page = address >> SER_OBJECT_PAGE_BITS;
    return objects->quiet[page % SER_OBJECT_QUIET] == page + 1;
}

#endif
