/* SPDX-License-Identifier: MIT */
/*
 * Open addressing with linear probing. A slot holds a 64-bit key: the bytes
 * themselves for strings of up to eight bytes, so that a hit never touches the
 * string, and a hash for longer ones, which are then compared. Strings are
 * packed into chunks that never move.
 */
#include "base/names.h"

#include <string.h>

#include "base/status.h"
#include "base/vector.h"

enum { CHUNK_BYTES = 1 << 16, FIRST_SLOTS = 64, SHORT_LENGTH = 8 };

typedef struct slot {
    uint64_t key;
    uint32_t length;
    uint32_t number_plus_one; /* 0: the slot is empty */
} slot;

typedef struct entry {
    const char *text;
    size_t length;
} entry;

struct ser_names {
    slot *slots;
    size_t mask;
    SER_VECTOR(entry) entries;
    SER_VECTOR(char *) chunks;
    size_t chunk_used, chunk_size;
};

static uint64_t mix(uint64_t a)
{
    a ^= a >> 32;
    a *= 0x9fb21c651e98df25u;
    a ^= a >> 29;
    a *= 0xd6e8feb86659fd93u;
    return a ^ a >> 32;
}

static uint64_t load_bytes(const char *text, size_t length)
{
    uint64_t word = 0;
    memcpy(&word, text, length);
    return word;
}

static uint64_t hash_long(const char *text, size_t length)
{
    uint64_t hash = length;
    for (; length > SHORT_LENGTH; text += SHORT_LENGTH, length -= SHORT_LENGTH)
        hash = mix(hash ^ load_bytes(text, SHORT_LENGTH));
    return mix(hash ^ load_bytes(text, length));
}

static uint64_t key_of(const char *text, size_t length)
{
    return length <= SHORT_LENGTH ? load_bytes(text, length) : hash_long(text, length);
}

static bool slot_holds(const ser_names *names, const slot *candidate, uint64_t key,
                       const char *text, size_t length)
{
    if (candidate->key != key || candidate->length != (uint32_t)length)
        return false;
    return length <= SHORT_LENGTH ||
           memcmp(names->entries.items[candidate->number_plus_one - 1].text, text, length) == 0;
}

/* The slot that holds the string, or the empty one where it belongs. */
static slot *find_slot(const ser_names *names, uint64_t key, const char *text, size_t length)
{
    size_t at = mix(key + length) & names->mask;
    while (names->slots[at].number_plus_one &&
           !slot_holds(names, &names->slots[at], key, text, length))
        at = (at + 1) & names->mask;
    return &names->slots[at];
}

static const char *keep_text(ser_names *names, const char *text, size_t length)
{
    if (names->chunk_size - names->chunk_used < length + 1) {
        names->chunk_size = length + 1 > CHUNK_BYTES ? length + 1 : CHUNK_BYTES;
        names->chunk_used = 0;
        ser_vector_push(&names->chunks, ser_resize(NULL, names->chunk_size, 1));
    }
    char *copy = names->chunks.items[names->chunks.count - 1] + names->chunk_used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    names->chunk_used += length + 1;
    return copy;
}

static void double_slots(ser_names *names)
{
    slot *old = names->slots;
    size_t old_count = names->mask + 1;
    names->mask = 2 * old_count - 1;
    names->slots = ser_alloc(2 * old_count, sizeof *names->slots);
    for (size_t i = 0; i < old_count; i++) {
        if (!old[i].number_plus_one)
            continue;
        size_t at = mix(old[i].key + old[i].length) & names->mask;
        while (names->slots[at].number_plus_one)
            at = (at + 1) & names->mask;
        names->slots[at] = old[i];
    }
    free(old);
}

ser_names *ser_names_create(void)
{
    ser_names *names = ser_alloc(1, sizeof *names);
    names->slots = ser_alloc(FIRST_SLOTS, sizeof *names->slots);
    names->mask = FIRST_SLOTS - 1;
    return names;
}

void ser_names_destroy(ser_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->chunks.count; i++)
        free(names->chunks.items[i]);
    ser_vector_free(&names->chunks);
    ser_vector_free(&names->entries);
    free(names->slots);
    free(names);
}

uint32_t ser_names_add(ser_names *names, const char *text, size_t length)
{
    uint64_t key = key_of(text, length);
    slot *found = find_slot(names, key, text, length);
    if (found->number_plus_one)
        return found->number_plus_one - 1;

    ser_check(names->entries.count < SER_NO_NAME - 1 && length <= UINT32_MAX);
    entry added = {keep_text(names, text, length), length};
    ser_vector_push(&names->entries, added);
    *found = (slot){key, (uint32_t)length, (uint32_t)names->entries.count};
    if (4 * names->entries.count > 3 * names->mask)
        double_slots(names);
    return (uint32_t)names->entries.count - 1;
}

uint32_t ser_names_find(const ser_names *names, const char *text, size_t length)
{
    const slot *found = find_slot(names, key_of(text, length), text, length);
    return found->number_plus_one ? found->number_plus_one - 1 : SER_NO_NAME;
}

const char *ser_names_text(const ser_names *names, uint32_t number)
{
    return names->entries.items[number].text;
}

size_t ser_names_length(const ser_names *names, uint32_t number)
{
    return names->entries.items[number].length;
}

uint32_t ser_names_count(const ser_names *names)
{
    return (uint32_t)names->entries.count;
}
