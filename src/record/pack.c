/* SPDX-License-Identifier: MIT */
#include "record/pack.h"

#include <stddef.h>
#include <string.h>

enum { KIND_FORESEEN = 1, LENGTH_BITS = 4, LENGTH = 15 };

static_assert(offsetof(ser_record, site) == 24 && sizeof(ser_record) == 32,
              "what the header calls a record's kind is its last eight bytes");

static uint64_t kind_of(const ser_record *record)
{
    uint64_t kind;
    memcpy(&kind, (const char *)record + offsetof(ser_record, site), sizeof kind);
    return kind;
}

static void set_kind(ser_record *record, uint64_t kind)
{
    memcpy((char *)record + offsetof(ser_record, site), &kind, sizeof kind);
}

static ser_pack_kind *find_kind(ser_pack_state *state, uint64_t kind)
{
    return &state->kinds[kind * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

static uint64_t zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

static unsigned bytes_of(uint64_t number)
{
    return number ? (71 - (unsigned)__builtin_clzll(number)) / 8 : 0;
}

/* All eight bytes are written; those beyond the length will be written over. */
static uint8_t *put(uint8_t *at, uint64_t number, unsigned length)
{
    memcpy(at, &number, sizeof number);
    return at + length;
}

/* Lengths of nonsense go up to 15. */
static const uint8_t *get(const uint8_t *at, uint64_t *number, unsigned length)
{
    static const uint64_t all = UINT64_MAX;
    static const uint64_t masks[LENGTH + 1] = {
        0,   all >> 56, all >> 48, all >> 40, all >> 32, all >> 24, all >> 16, all >> 8,
        all, all,       all,       all,       all,       all,       all,       all};
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    *number = bytes & masks[length];
    return at + length;
}

/* Both take the entry of the kind before, and give that of the record. */
static ser_pack_kind *pack_record(ser_pack_state *state, ser_pack_kind *before,
                                  const ser_record *record, uint8_t **bytes)
{
    uint64_t word = kind_of(record);
    ser_pack_kind *kind = find_kind(state, word);
    uint64_t object = zigzag(record->object - kind->object);
    uint64_t value = zigzag(record->value - kind->value);
    uint64_t clock = zigzag(record->clock - state->clock);
    unsigned lengths[] = {bytes_of(object), bytes_of(value), bytes_of(clock)};
    bool foreseen = before->next == word;
    unsigned control = (foreseen ? KIND_FORESEEN : 0) | lengths[0] << 1 |
                       lengths[1] << (1 + LENGTH_BITS) | lengths[2] << (1 + 2 * LENGTH_BITS);
    uint8_t *at = put(*bytes, control, 2);
    at = put(at, word, foreseen ? 0 : 8);
    at = put(at, object, lengths[0]);
    at = put(at, value, lengths[1]);
    *bytes = put(at, clock, lengths[2]);
    before->next = word;
    kind->object = record->object;
    kind->value = record->value;
    state->clock = record->clock;
    return kind;
}

static ser_pack_kind *unpack_record(ser_pack_state *state, ser_pack_kind *before,
                                    ser_record *record, const uint8_t **bytes)
{
    uint64_t control, word = before->next, object, value, clock;
    const uint8_t *at = get(*bytes, &control, 2);
    if (!(control & KIND_FORESEEN))
        at = get(at, &word, 8);
    ser_pack_kind *kind = find_kind(state, word);
    at = get(at, &object, control >> 1 & LENGTH);
    at = get(at, &value, control >> (1 + LENGTH_BITS) & LENGTH);
    *bytes = get(at, &clock, control >> (1 + 2 * LENGTH_BITS) & LENGTH);
    before->next = word;
    kind->object = record->object = kind->object + unzigzag(object);
    kind->value = record->value = kind->value + unzigzag(value);
    state->clock = record->clock = state->clock + unzigzag(clock);
    set_kind(record, word);
    return kind;
}

size_t ser_pack(ser_pack_state *state, const ser_record *records, size_t count, uint8_t *bytes)
{
    ser_pack_kind *before = find_kind(state, state->kind);
    uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++)
        before = pack_record(state, before, &records[i], &at);
    if (count > 0)
        state->kind = kind_of(&records[count - 1]);
    return (size_t)(at - bytes);
}

/* Lengths of nonsense go up to 15, so that a record ends within 2 + 8 + 45 bytes. */
size_t ser_unpack(ser_pack_state *state, const uint8_t *bytes, size_t size, ser_record *records,
                  size_t count)
{
    ser_pack_kind *before = find_kind(state, state->kind);
    const uint8_t *at = bytes, *end = bytes + size;
    size_t done = 0;
    for (; done < count && at <= end; done++)
        before = unpack_record(state, before, &records[done], &at);
    if (done > 0)
        state->kind = kind_of(&records[done - 1]);
    return (size_t)(at - bytes);
}
