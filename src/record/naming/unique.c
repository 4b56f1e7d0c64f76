/* SPDX-License-Identifier: MIT */
#include "record/naming/unique.h"

#include <stdio.h>

#include "base/memory.h"

void ser_unique_init(ser_unique *unique, ser_symbols *symbols)
{
    *unique = (ser_unique){.symbols = symbols};
}

void ser_unique_fini(ser_unique *unique)
{
    ser_distinct_fini(&unique->taken);
    ser_pairmap_fini(&unique->numbers);
}

/* The name is taken: the first that is not. */
static void rename_with_number(ser_unique *unique, const ser_pending_name *name)
{
    ser_span whole = ser_symbols_whole_name(unique->symbols, name->space, name->number);
    size_t length = whole.length;
    char *numbered = ser_alloc(length + 16, 1);
    uint64_t hash;
    uint32_t *last = ser_pairmap_add(&unique->numbers, name->hash, 0, 1);
    int end;
    memcpy(numbered, whole.text, length);
    do {
        end = snprintf(numbered + length, 16, " #%u", ++*last);
        hash = ser_distinct_hash(name->space, numbered, length + (size_t)end);
    } while (!ser_distinct_add(&unique->taken, hash));
    ser_symbols_rename(unique->symbols, name->space, name->number, numbered, length + (size_t)end);
    free(numbered);
}

static void settle_oldest(ser_unique *unique)
{
    const ser_pending_name *name = &unique->pending[unique->settled++ % SER_UNIQUE_PENDING];
    if (!ser_distinct_add(&unique->taken, name->hash))
        rename_with_number(unique, name);
}

uint32_t ser_unique_add(ser_unique *unique, ser_space space, const char *text, size_t length)
{
    uint64_t hash = ser_distinct_hash(space, text, length);
    uint32_t number = ser_symbols_append(unique->symbols, space, text, length);
    ser_distinct_fetch(&unique->taken, hash);
    if (unique->made - unique->settled == SER_UNIQUE_PENDING)
        settle_oldest(unique);
    unique->pending[unique->made++ % SER_UNIQUE_PENDING] = (ser_pending_name){hash, number, space};
    return number;
}

void ser_unique_settle(ser_unique *unique)
{
    while (unique->settled < unique->made)
        settle_oldest(unique);
}
