/* SPDX-License-Identifier: MIT */
#include "record/pack.h"

#include <string.h>

enum { KIND_FORESEEN = 1, LENGTH_BITS = 4, LENGTH = 15 };

/* A record as words; the last one is what the header calls its kind. */
enum { OBJECT, VALUE, CLOCK, KIND, WORDS };

static_assert(sizeof(ser_record) == WORDS * sizeof(uint64_t), "a record is four words");

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

static const uint8_t *get(const uint8_t *at, uint64_t *number, unsigned length)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    *number = length >= 8 ? bytes : bytes & ((UINT64_C(1) << 8 * length) - 1);
    return at + length;
}

static uint8_t *pack_record(ser_pack_state *state, const uint64_t words[WORDS], uint8_t *at)
{
    ser_pack_kind *before = find_kind(state, state->kind), *kind = find_kind(state, words[KIND]);
    uint64_t object = zigzag(words[OBJECT] - kind->object);
    uint64_t value = zigzag(words[VALUE] - kind->value);
    uint64_t clock = zigzag(words[CLOCK] - state->clock);
    unsigned lengths[] = {bytes_of(object), bytes_of(value), bytes_of(clock)};
    bool foreseen = before->next == words[KIND];
    unsigned control = (foreseen ? KIND_FORESEEN : 0) | lengths[0] << 1 |
                       lengths[1] << (1 + LENGTH_BITS) | lengths[2] << (1 + 2 * LENGTH_BITS);
    at = put(at, control, 2);
    if (!foreseen)
        at = put(at, words[KIND], 8);
    at = put(at, object, lengths[0]);
    at = put(at, value, lengths[1]);
    at = put(at, clock, lengths[2]);
    before->next = state->kind = words[KIND];
    kind->object = words[OBJECT];
    kind->value = words[VALUE];
    state->clock = words[CLOCK];
    return at;
}

static const uint8_t *unpack_record(ser_pack_state *state, const uint8_t *at, uint64_t words[WORDS])
{
    uint64_t control, object, value, clock;
    at = get(at, &control, 2);
    ser_pack_kind *before = find_kind(state, state->kind);
    words[KIND] = before->next;
    if (!(control & KIND_FORESEEN))
        at = get(at, &words[KIND], 8);
    ser_pack_kind *kind = find_kind(state, words[KIND]);
    at = get(at, &object, control >> 1 & LENGTH);
    at = get(at, &value, control >> (1 + LENGTH_BITS) & LENGTH);
    at = get(at, &clock, control >> (1 + 2 * LENGTH_BITS) & LENGTH);
    before->next = state->kind = words[KIND];
    kind->object = words[OBJECT] = kind->object + unzigzag(object);
    kind->value = words[VALUE] = kind->value + unzigzag(value);
    state->clock = words[CLOCK] = state->clock + unzigzag(clock);
    return at;
}

size_t ser_pack(ser_pack_state *state, const ser_record *records, size_t count, uint8_t *bytes)
{
    uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++) {
        uint64_t words[WORDS];
        memcpy(words, &records[i], sizeof words);
        at = pack_record(state, words, at);
    }
    return (size_t)(at - bytes);
}

/* Lengths of nonsense go up to 15, so that a record ends within 2 + 8 + 45 bytes. */
size_t ser_unpack(ser_pack_state *state, const uint8_t *bytes, size_t size, ser_record *records,
                  size_t count)
{
    const uint8_t *at = bytes, *end = bytes + size;
    for (size_t i = 0; i < count && at <= end; i++) {
        uint64_t words[WORDS];
        at = unpack_record(state, at, words);
        memcpy(&records[i], words, sizeof words);
    }
    return (size_t)(at - bytes);
}
