/* SPDX-License-Identifier: MIT */
/*
 * Open addressing with linear probing. A slot holds a 64-bit key: the bytes
 * themselves for strings of up to eight bytes, so that a hit never touches the
 * string, and a hash for longer ones, which are then compared. Strings are
 * packed into chunks that never move.
 *
 * In a large trace almost every lookup misses the cache, and the miss costs
 * more than all the rest; hence ser_names_prefetch.
 */
#include "base/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"
#include "base/vector.h"

enum { CHUNK_BYTES = 1 << 16, FIRST_SLOTS = 64 };

typedef struct slot {
    uint64_t key;
    const char *text;
    uint32_t length;
    uint32_t number_plus_one; /* 0: the slot is empty */
} slot;

typedef struct entry {
    const char *text;
    size_t length;
} entry;

typedef struct chunk {
    char *bytes;    /* NULL: forgotten */
    uint32_t first; /* the number of the first string in it */
} chunk;

struct ser_names {
    slot *slots;
    size_t mask;
    size_t findable; /* strings that have slots */
    SER_VECTOR(entry) entries;
    SER_VECTOR(chunk) chunks;
    size_t chunk_used, chunk_size;
    size_t forgotten; /* chunks */
};

static inline size_t home_slot(const ser_names *names, uint64_t key, size_t length)
{
    return ser_hash_mix(key, length) & names->mask;
}

static inline bool slot_holds(const slot *candidate, uint64_t key, const char *text, size_t length)
{
    if (candidate->key != key || candidate->length != (uint32_t)length)
        return false;
    return length <= SER_HASH_WORD || memcmp(candidate->text, text, length) == 0;
}

/* The slot that holds the string, or the empty one where it belongs. */
static slot *find_slot(const ser_names *names, uint64_t key, const char *text, size_t length)
{
    size_t at = home_slot(names, key, length);
    while (names->slots[at].number_plus_one && !slot_holds(&names->slots[at], key, text, length))
        at = (at + 1) & names->mask;
    return &names->slots[at];
}

/* SER_NAMES_BRIEF bytes of the longer string, and NUL. */
static void put_brief(char *brief, const char *text, size_t length)
{
    char middle[32];
    size_t gap = (size_t)snprintf(middle, sizeof middle, " ... %016" PRIx64 " ... ",
                                  ser_hash_key(text, length));
    size_t tail = (SER_NAMES_BRIEF - gap) / 2, head = SER_NAMES_BRIEF - gap - tail;
    memcpy(brief, text, head);
    memcpy(brief + head, middle, gap);
    memcpy(brief + head + gap, text + length - tail, tail);
    brief[SER_NAMES_BRIEF] = '\0';
}

/* The brief form of a long string lies behind it. */
static const char *keep_text(ser_names *names, const char *text, size_t length)
{
    size_t size = length + 1 + (length > SER_NAMES_BRIEF ? SER_NAMES_BRIEF + 1 : 0);
    if (names->chunk_size - names->chunk_used < size) {
        names->chunk_size = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        names->chunk_used = 0;
        chunk fresh = {ser_resize(NULL, names->chunk_size, 1), (uint32_t)names->entries.count};
        ser_vector_push(&names->chunks, fresh);
    }
    char *copy = names->chunks.items[names->chunks.count - 1].bytes + names->chunk_used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (length > SER_NAMES_BRIEF)
        put_brief(copy + length + 1, text, length);
    names->chunk_used += size;
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
        size_t at = home_slot(names, old[i].key, old[i].length);
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
        free(names->chunks.items[i].bytes);
    ser_vector_free(&names->chunks);
    ser_vector_free(&names->entries);
    free(names->slots);
    free(names);
}

uint32_t ser_names_append(ser_names *names, const char *text, size_t length)
{
    ser_check(names->entries.count < SER_NO_NAME - 1 && length <= UINT32_MAX);
    entry added = {keep_text(names, text, length), length};
    ser_vector_push(&names->entries, added);
    return (uint32_t)names->entries.count - 1;
}

uint32_t ser_names_add(ser_names *names, const char *text, size_t length)
{
    uint64_t key = ser_hash_key(text, length);
    slot *found = find_slot(names, key, text, length);
    if (found->number_plus_one)
        return found->number_plus_one - 1;

    uint32_t number = ser_names_append(names, text, length);
    *found = (slot){key, names->entries.items[number].text, (uint32_t)length, number + 1};
    if (4 * ++names->findable > 3 * names->mask)
        double_slots(names);
    return number;
}

void ser_names_rename(ser_names *names, uint32_t number, const char *text, size_t length)
{
    ser_check(names->findable == 0 && length <= UINT32_MAX);
    names->entries.items[number] = (entry){keep_text(names, text, length), length};
}

void ser_names_forget(ser_names *names, uint32_t end)
{
    ser_check(names->findable == 0);
    while (names->forgotten + 1 < names->chunks.count &&
           names->chunks.items[names->forgotten + 1].first <= end) {
        free(names->chunks.items[names->forgotten].bytes);
        names->chunks.items[names->forgotten++].bytes = NULL;
    }
}

void ser_names_prefetch(const ser_names *names, const char *text, size_t length, int step)
{
    if (step > 1 && length <= SER_HASH_WORD)
        return;
    const slot *home = &names->slots[home_slot(names, ser_hash_key(text, length), length)];
    __builtin_prefetch(step > 1 ? home->text : (const char *)home);
}

uint32_t ser_names_find(const ser_names *names, const char *text, size_t length)
{
    const slot *found = find_slot(names, ser_hash_key(text, length), text, length);
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

const char *ser_names_brief(const ser_names *names, uint32_t number)
{
    const entry *of = &names->entries.items[number];
    return of->length > SER_NAMES_BRIEF ? of->text + of->length + 1 : of->text;
}

size_t ser_names_brief_length(const ser_names *names, uint32_t number)
{
    size_t length = names->entries.items[number].length;
    return length > SER_NAMES_BRIEF ? SER_NAMES_BRIEF : length;
}

uint32_t ser_names_count(const ser_names *names)
{
    return (uint32_t)names->entries.count;
}
