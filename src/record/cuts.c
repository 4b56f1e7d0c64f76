/* SPDX-License-Identifier: MIT */
/*
 * Bits, 64 in a word. An object of up to 64 bytes has a word of its own, found by
 * its id; larger ones have chunks of eight words in a hash table. The variables of
 * a chunk stand in an array with an entry for each cut: the number of cuts before
 * a place is its index.
 */
#include "record/cuts.h"

#include "base/status.h"

enum { SMALL = 64 };

void ser_cuts_init(ser_cuts *cuts)
{
    *cuts = (ser_cuts){.last_chunk = UINT32_MAX};
}

void ser_cuts_fini(ser_cuts *cuts)
{
    for (size_t i = 0; i < cuts->chunks.count; i++)
        free(cuts->chunks.items[i].variables);
    ser_vector_free(&cuts->small);
    ser_vector_free(&cuts->chunks);
    ser_pairmap_fini(&cuts->chunk_numbers);
}

static bool is_small(const ser_object *object)
{
    return object->size <= SMALL;
}

static ser_cut_chunk *remember(ser_cuts *cuts, uint64_t id, uint64_t place, uint32_t number)
{
    cuts->last_id = id;
    cuts->last_place = place;
    cuts->last_chunk = number;
    return &cuts->chunks.items[number];
}

static bool is_last(const ser_cuts *cuts, uint64_t id, uint64_t place)
{
    return cuts->last_chunk != UINT32_MAX && cuts->last_place == place && cuts->last_id == id;
}

static ser_cut_chunk *find_chunk(ser_cuts *cuts, uint64_t id, uint64_t place)
{
    if (is_last(cuts, id, place))
        return &cuts->chunks.items[cuts->last_chunk];
    uint32_t number = ser_pairmap_get(&cuts->chunk_numbers, id, place, UINT32_MAX);
    return number == UINT32_MAX ? NULL : remember(cuts, id, place, number);
}

static ser_cut_chunk *make_chunk(ser_cuts *cuts, uint64_t id, uint64_t place)
{
    if (is_last(cuts, id, place))
        return &cuts->chunks.items[cuts->last_chunk];
    uint32_t fresh = (uint32_t)cuts->chunks.count;
    uint32_t number = *ser_pairmap_add(&cuts->chunk_numbers, id, place, fresh);
    if (number == fresh)
        ser_vector_extend(&cuts->chunks, (size_t)fresh + 1);
    return remember(cuts, id, place, number);
}

static void cut_at(ser_cuts *cuts, uint64_t id, uint64_t offset)
{
    ser_cut_chunk *chunk = make_chunk(cuts, id, offset / SER_CUTS_CHUNK);
    uint64_t bit = offset % SER_CUTS_CHUNK;
    chunk->words[bit / 64] |= UINT64_C(1) << bit % 64;
}

void ser_cuts_add(ser_cuts *cuts, const ser_object *object, uint64_t offset, uint64_t end)
{
    if (is_small(object)) {
        uint64_t *word = ser_vector_slot(&cuts->small, object->id);
        *word |= UINT64_C(1) << offset;
        if (end < SMALL)
            *word |= UINT64_C(1) << end;
    } else {
        cut_at(cuts, object->id, offset);
        if (end < object->size)
            cut_at(cuts, object->id, end);
    }
}

/* --- cells ---------------------------------------------------------------- */

static uint64_t small_word(const ser_cuts *cuts, uint32_t id)
{
    return id < cuts->small.count ? cuts->small.items[id] : 0;
}

/* The first bit behind `bit` in count words; 64 * count if there is none. */
static uint64_t next_bit(const uint64_t *words, uint64_t count, uint64_t bit)
{
    bit++;
    if (bit >= 64 * count)
        return 64 * count;
    uint64_t at = bit / 64, word = words[at] & (UINT64_MAX << bit % 64);
    while (word == 0 && ++at < count)
        word = words[at];
    return word ? 64 * at + (uint64_t)__builtin_ctzll(word) : 64 * count;
}

uint64_t ser_cuts_next(ser_cuts *cuts, const ser_object *object, uint64_t offset, uint64_t end)
{
    if (is_small(object)) {
        uint64_t word = small_word(cuts, object->id), next = next_bit(&word, 1, offset);
        return next < end ? next : end;
    }
    uint64_t bit = offset % SER_CUTS_CHUNK;
    for (uint64_t place = offset / SER_CUTS_CHUNK; place * SER_CUTS_CHUNK < end; place++) {
        const ser_cut_chunk *chunk = find_chunk(cuts, object->id, place);
        uint64_t next = chunk ? next_bit(chunk->words, SER_CUTS_WORDS, bit) : SER_CUTS_CHUNK;
        if (next < SER_CUTS_CHUNK)
            return place * SER_CUTS_CHUNK + next < end ? place * SER_CUTS_CHUNK + next : end;
        bit = UINT64_MAX; /* the next chunk's bit 0 counts, too */
    }
    return end;
}

static uint32_t count_bits(const uint64_t *words, uint64_t count)
{
    uint32_t bits = 0;
    for (uint64_t i = 0; i < count; i++)
        bits += (uint32_t)__builtin_popcountll(words[i]);
    return bits;
}

/* Finds the entry of a bit in the array of variables of some words. */
static uint32_t *variable_of(const uint64_t *words, uint64_t count, uint32_t **variables,
                             uint64_t bit)
{
    if (!(words[bit / 64] >> bit % 64 & 1))
        return NULL;
    if (!*variables)
        *variables = ser_alloc(count_bits(words, count), sizeof **variables);
    uint64_t below = words[bit / 64] & ((UINT64_C(1) << bit % 64) - 1);
    return *variables + count_bits(words, bit / 64) + count_bits(&below, 1);
}

uint32_t *ser_cuts_variable(ser_cuts *cuts, ser_object *object, uint64_t offset)
{
    if (is_small(object)) {
        uint64_t word = small_word(cuts, object->id);
        return variable_of(&word, 1, &object->variables, offset);
    }
    ser_cut_chunk *chunk = find_chunk(cuts, object->id, offset / SER_CUTS_CHUNK);
    return chunk ? variable_of(chunk->words, SER_CUTS_WORDS, &chunk->variables,
                               offset % SER_CUTS_CHUNK)
                 : NULL;
}
