/* SPDX-License-Identifier: MIT */
/*
 * Bits, 64 in a word. An object of up to 64 bytes has a word of its own, found by
 * its id; larger ones have chunks of eight words in a hash table. The variables of
 * a chunk stand in an array with an entry for each cut: the number of cuts before
 * a place is its index.
 */
#include "record/memory/cuts.h"

#include "base/status.h"

enum { SMALL = 64 };

void ser_cuts_init(ser_cuts *cuts)
{
    memset(cuts, 0, sizeof *cuts);
}

void ser_cuts_fini(ser_cuts *cuts)
{
    for (size_t i = 0; i < cuts->chunks.count; i++)
        free(cuts->chunks.items[i].variables);
    ser_vector_free(&cuts->small);
    ser_vector_free(&cuts->chunks);
    ser_pairmap_fini(&cuts->chunk_numbers);
    ser_pairmap_fini(&cuts->regions);
}

static bool is_small(const ser_memory_object *object)
{
    return object->size <= SMALL;
}

static ser_cut_found *cached(ser_cuts *cuts, uint32_t id, uint64_t place)
{
    return &cuts->cache[(place ^ (uint64_t)id * UINT32_C(0x9e3779b1)) % SER_CUTS_CACHE];
}

static bool is_found(const ser_cut_found *found, uint32_t id, uint64_t place)
{
    return found->number > 0 && found->id == id && found->place == place;
}

static ser_cut_chunk *find_chunk(ser_cuts *cuts, uint32_t id, uint64_t place)
{
    ser_cut_found *found = cached(cuts, id, place);
    if (!is_found(found, id, place)) {
        uint32_t number = ser_pairmap_get(&cuts->chunk_numbers, id, place, UINT32_MAX);
        if (number == UINT32_MAX)
            return NULL;
        *found = (ser_cut_found){place, id, number + 1};
    }
    return &cuts->chunks.items[found->number - 1];
}

/* A range of gigabytes may have no cut but at its ends. So a map of regions of 512 chunks, and
 * one of 512 of these, says which have any; the others are skipped at once. */
enum { REGION_BITS = 9, LEVELS = 2 };

static uint64_t level_key(uint32_t id, unsigned level)
{
    return (uint64_t)level << 32 | id;
}

static void note_regions(ser_cuts *cuts, uint32_t id, uint64_t place)
{
    for (unsigned level = 1; level <= LEVELS; level++)
        *ser_pairmap_add(&cuts->regions, level_key(id, level), place >> level * REGION_BITS, 0) = 1;
}

/* The next place behind one without a chunk that may have one. */
static uint64_t pass_over(const ser_cuts *cuts, uint32_t id, uint64_t place)
{
    for (unsigned level = LEVELS; level > 0; level--) {
        uint64_t region = place >> level * REGION_BITS;
        if (!ser_pairmap_get(&cuts->regions, level_key(id, level), region, 0))
            return (region + 1) << level * REGION_BITS;
    }
    return place + 1;
}

static ser_cut_chunk *make_chunk(ser_cuts *cuts, uint32_t id, uint64_t place)
{
    ser_cut_found *found = cached(cuts, id, place);
    if (!is_found(found, id, place)) {
        uint32_t fresh = (uint32_t)cuts->chunks.count;
        uint32_t number = *ser_pairmap_add(&cuts->chunk_numbers, id, place, fresh);
        if (number == fresh) {
            ser_vector_extend(&cuts->chunks, (size_t)fresh + 1);
            note_regions(cuts, id, place);
        }
        *found = (ser_cut_found){place, id, number + 1};
    }
    return &cuts->chunks.items[found->number - 1];
}

static void cut_at(ser_cuts *cuts, uint32_t id, uint64_t offset)
{
    ser_cut_chunk *chunk = make_chunk(cuts, id, offset / SER_CUTS_CHUNK);
    uint64_t bit = offset % SER_CUTS_CHUNK;
    chunk->words[bit / 64] |= UINT64_C(1) << bit % 64;
}

void ser_cuts_add(ser_cuts *cuts, const ser_memory_object *object, uint64_t offset, uint64_t end)
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

/* Inline: the compiler's builtin calls a function that loops, since it must run on every
 * processor. */
static uint32_t bits_in(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

/* Cuts of a word below a bit; the bit itself must be one. */
static bool rank_in(uint64_t word, uint64_t bit, uint32_t *rank)
{
    *rank = bits_in(word & ((UINT64_C(1) << bit) - 1));
    return word >> bit & 1;
}

static void open_chunk(ser_cut_chunk *chunk)
{
    uint32_t count = 0;
    for (int i = 0; i < SER_CUTS_WORDS; i++) {
        chunk->before[i] = (uint16_t)count;
        count += bits_in(chunk->words[i]);
    }
    chunk->variables = ser_alloc(count, sizeof *chunk->variables);
}

/* SER_CUTS_CHUNK if there is none. */
static uint64_t first_bit(const ser_cut_chunk *chunk)
{
    for (uint64_t at = 0; at < SER_CUTS_WORDS; at++)
        if (chunk->words[at])
            return 64 * at + (uint64_t)__builtin_ctzll(chunk->words[at]);
    return SER_CUTS_CHUNK;
}

/* The first cut of the chunks from `place` on that is before end; end if there is none. */
static uint64_t next_cut(ser_cuts *cuts, uint32_t id, uint64_t place, uint64_t end)
{
    const uint64_t last = (end - 1) / SER_CUTS_CHUNK; /* products could go beyond 64 bits */
    while (place <= last) {
        const ser_cut_chunk *chunk = find_chunk(cuts, id, place);
        uint64_t bit = chunk ? first_bit(chunk) : SER_CUTS_CHUNK;
        if (bit < SER_CUTS_CHUNK)
            return place * SER_CUTS_CHUNK + bit < end ? place * SER_CUTS_CHUNK + bit : end;
        place = chunk ? place + 1 : pass_over(cuts, id, place);
    }
    return end;
}

/* Lists the bits from `bit` on that are below the limit, as offsets. */
static void list_starts(const uint64_t *words, uint64_t bit, uint64_t limit, uint64_t base,
                        ser_cells *cells)
{
    uint64_t word = words[bit / 64] & UINT64_MAX << bit % 64;
    cells->count = 0;
    for (uint64_t first = bit - bit % 64;; word = words[first / 64]) {
        for (; word; word &= word - 1) {
            uint64_t start = first + (uint64_t)__builtin_ctzll(word);
            if (start >= limit)
                return;
            cells->starts[cells->count++] = base + start;
        }
        first += 64;
        if (first >= limit)
            return;
    }
}

static bool small_cells(ser_cuts *cuts, ser_memory_object *object, uint64_t offset, uint64_t end,
                        ser_cells *cells)
{
    uint64_t word = small_word(cuts, object->id);
    uint32_t rank;
    if (!rank_in(word, offset, &rank))
        return false;
    if (!object->variables)
        object->variables = ser_alloc(bits_in(word), sizeof *object->variables);
    cells->variables = object->variables + rank;
    list_starts(&word, offset, end, 0, cells);
    cells->starts[cells->count] = end;
    return true;
}

bool ser_cuts_cells(ser_cuts *cuts, ser_memory_object *object, uint64_t offset, uint64_t end,
                    ser_cells *cells)
{
    if (is_small(object))
        return small_cells(cuts, object, offset, end, cells);
    uint64_t place = offset / SER_CUTS_CHUNK, bit = offset % SER_CUTS_CHUNK;
    uint64_t base = offset - bit, limit = end - base;
    ser_cut_chunk *chunk = find_chunk(cuts, object->id, place);
    uint32_t rank;
    if (!chunk || !rank_in(chunk->words[bit / 64], bit % 64, &rank))
        return false;
    if (!chunk->variables)
        open_chunk(chunk);
    cells->variables = chunk->variables + chunk->before[bit / 64] + rank;
    list_starts(chunk->words, bit, limit < SER_CUTS_CHUNK ? limit : SER_CUTS_CHUNK, base, cells);
    cells->starts[cells->count] =
        limit <= SER_CUTS_CHUNK ? end : next_cut(cuts, object->id, place + 1, end);
    return true;
}
