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

#include <string.h>

#include "base/status.h"
#include "base/vector.h"

enum { CHUNK_BYTES = 1 << 16, FIRST_SLOTS = 64, SHORT_LENGTH = 8 };

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

struct ser_names {
    slot *slots;
    size_t mask;
    SER_VECTOR(entry) entries;
    SER_VECTOR(char *) chunks;
    size_t chunk_used, chunk_size;
};

/* The product of two words has bits of both in every place; its halves folded
 * together are a good hash (the idea is wyhash's). */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 product_type;
    product_type product = (product_type)(a ^ 0xa0761d6478bd642fu) * (b ^ 0xe7037ed1a0b428dbu);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A string of up to eight bytes as a number. Two loads that overlap spare the
 * loop over the bytes. */
static inline uint64_t load_short(const char *text, size_t length)
{
    if (length >= 4) {
        uint32_t low, high;
        memcpy(&low, text, 4);
        memcpy(&high, text + length - 4, 4);
        return low | (uint64_t)high << (8 * (length - 4));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)(uint8_t)text[i] << (8 * i);
    return word;
}

static inline uint64_t load_word(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* For more than eight bytes: sixteen a round. The last sixteen (or fewer, of a
 * string that has no more) may overlap those before. */
static inline uint64_t hash_long(const char *text, size_t length)
{
    uint64_t hash = length;
    const char *end = text + length;
    const char *tail = length > 16 ? end - 16 : text;
    for (; text < tail; text += 16)
        hash = mix(hash ^ load_word(text), load_word(text + 8));
    return mix(hash ^ load_word(tail), load_word(end - 8));
}

static inline uint64_t key_of(const char *text, size_t length)
{
    return length <= SHORT_LENGTH ? load_short(text, length) : hash_long(text, length);
}

static inline size_t home_slot(const ser_names *names, uint64_t key, size_t length)
{
    return mix(key, length) & names->mask;
}

static inline bool slot_holds(const slot *candidate, uint64_t key, const char *text, size_t length)
{
    if (candidate->key != key || candidate->length != (uint32_t)length)
        return false;
    return length <= SHORT_LENGTH || memcmp(candidate->text, text, length) == 0;
}

/* The slot that holds the string, or the empty one where it belongs. */
static slot *find_slot(const ser_names *names, uint64_t key, const char *text, size_t length)
{
    size_t at = home_slot(names, key, length);
    while (names->slots[at].number_plus_one && !slot_holds(&names->slots[at], key, text, length))
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
    *found = (slot){key, added.text, (uint32_t)length, (uint32_t)names->entries.count};
    if (4 * names->entries.count > 3 * names->mask)
        double_slots(names);
    return (uint32_t)names->entries.count - 1;
}

void ser_names_prefetch(const ser_names *names, const char *text, size_t length, int step)
{
    if (step > 1 && length <= SHORT_LENGTH)
        return;
    const slot *home = &names->slots[home_slot(names, key_of(text, length), length)];
    __builtin_prefetch(step > 1 ? home->text : (const char *)home);
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
