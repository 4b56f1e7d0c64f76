/* SPDX-License-Identifier: MIT */
#include "record/capture/pack.h"

#include <stddef.h>
#include <string.h>

#include "record/capture/definitions.h"

/* The first byte of a record: what was predicted, and the codes of two lengths. */
enum {
    KIND_FORESEEN = 1,
    OBJECT_SHIFT = 1,
    VALUE_SHIFT = 4,
    CODE = 7,
    AS_IT_IS = 0x80,
};

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

static const uint8_t lengths[CODE + 1] = {0, 1, 2, 3, 4, 5, 6, 8};

/* Bytes of a number by its highest bit, as a code. */
static const uint8_t codes[64] = {
    1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
    5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
};

static unsigned code_of(uint64_t number)
{
    return number ? codes[63 ^ __builtin_clzll(number)] : 0;
}

/* All eight bytes are written; those beyond the length will be written over. */
static uint8_t *put(uint8_t *at, uint64_t number, unsigned length)
{
    memcpy(at, &number, sizeof number);
    return at + length;
}

static uint64_t load(const uint8_t *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static const uint8_t *get(const uint8_t *at, uint64_t *number, unsigned code)
{
    static const uint64_t all = UINT64_MAX;
    static const uint64_t masks[CODE + 1] = {0,         all >> 56, all >> 48, all >> 40,
                                             all >> 32, all >> 24, all >> 16, all};
    *number = load(at) & masks[code];
    return at + lengths[code];
}

static uint8_t *put_as_it_is(uint8_t *at, const ser_record *record)
{
    *at = AS_IT_IS;
    memcpy(at + 1, record, sizeof *record);
    return at + 1 + sizeof *record;
}

static const uint8_t *get_as_it_is(const uint8_t *at, ser_record *record)
{
    memcpy(record, at + 1, sizeof *record);
    return at + 1 + sizeof *record;
}

/* Both take the entry of the preceding record's kind, and return that of this record's. */
static ser_pack_kind *pack_record(ser_pack_state *state, ser_pack_kind *before,
                                  const ser_record *record, uint8_t **bytes)
{
    uint64_t word = kind_of(record);
    ser_pack_kind *kind = find_kind(state, word);
    uint64_t object = record->object ^ kind->object, value = record->value ^ kind->value;
    unsigned object_code = code_of(object), value_code = code_of(value);
    bool foreseen = before->next == word;
    uint8_t *at = *bytes;
    *at = (uint8_t)((foreseen ? KIND_FORESEEN : 0) | object_code << OBJECT_SHIFT |
                    value_code << VALUE_SHIFT);
    at = put(at + 1, object, lengths[object_code]);
    at = put(at, value, lengths[value_code]);
    *bytes = put(at, word, foreseen ? 0 : sizeof word);
    before->next = word;
    kind->object = record->object;
    kind->value = record->value;
    return kind;
}

static ser_pack_kind *unpack_record(ser_pack_state *state, ser_pack_kind *before,
                                    ser_record *record, const uint8_t **bytes)
{
    uint64_t word = before->next, object, value;
    unsigned control = **bytes;
    const uint8_t *at = get(*bytes + 1, &object, control >> OBJECT_SHIFT & CODE);
    at = get(at, &value, control >> VALUE_SHIFT & CODE);
    if (!(control & KIND_FORESEEN)) {
        before->next = word = load(at);
        at += sizeof word;
    }
    *bytes = at;
    ser_pack_kind *kind = find_kind(state, word);
    kind->object = record->object = kind->object ^ object;
    kind->value = record->value = kind->value ^ value;
    record->clock = 0;
    set_kind(record, word);
    return kind;
}

size_t ser_pack(ser_pack_state *state, const ser_record *records, size_t count, uint8_t *bytes)
{
    ser_pack_kind *before = &state->kinds[state->before];
    uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++) {
        if (ser_definitions_pass(&state->text_left, &records[i]))
            at = put_as_it_is(at, &records[i]);
        else
            before = pack_record(state, before, &records[i], &at);
    }
    state->before = (uint32_t)(before - state->kinds);
    return (size_t)(at - bytes);
}

size_t ser_unpack(ser_pack_state *state, const uint8_t *bytes, size_t size, ser_record *records,
                  size_t count)
{
    ser_pack_kind *before = &state->kinds[state->before];
    const uint8_t *at = bytes, *end = bytes + size;
    for (size_t done = 0; done < count && at <= end; done++) {
        if (*at & AS_IT_IS)
            at = get_as_it_is(at, &records[done]);
        else
            before = unpack_record(state, before, &records[done], &at);
    }
    state->before = (uint32_t)(before - state->kinds);
    return (size_t)(at - bytes);
}
