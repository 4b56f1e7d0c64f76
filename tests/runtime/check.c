/* SPDX-License-Identifier: MIT */
/*
 * Rules that every recorded run must keep: a read returns what the last write of
 * its bytes wrote; locks have one owner; threads are forked before they run and
 * have ended when they are joined; calls nest. And printing a run.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A map from 64-bit keys to values: open addressing, never shrinks. */
typedef struct byte_map {
    uint64_t *keys, *values;
    bool *used;
    size_t room, count;
} byte_map;

static uint64_t *map_at(byte_map *map, uint64_t key)
{
    if (map->count * 2 >= map->room) {
        byte_map larger = {.room = map->room ? map->room * 2 : 1024};
        larger.keys = calloc(larger.room, sizeof *larger.keys);
        larger.values = calloc(larger.room, sizeof *larger.values);
        larger.used = calloc(larger.room, sizeof *larger.used);
        for (size_t i = 0; i < map->room; i++)
            if (map->used[i])
                *map_at(&larger, map->keys[i]) = map->values[i];
        free(map->keys);
        free(map->values);
        free(map->used);
        *map = larger;
    }
    size_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (map->room - 1);
    while (map->used[i] && map->keys[i] != key)
        i = (i + 1) & (map->room - 1);
    if (!map->used[i]) {
        map->used[i] = true;
        map->keys[i] = key;
        map->values[i] = 0;
        map->count++;
    }
    return &map->values[i];
}

static void map_free(byte_map *map)
{
    free(map->keys);
    free(map->values);
    free(map->used);
}

enum { THREADS = 65536, CALLS = 64 };

typedef struct state {
    byte_map bytes;   /* address: 256 + value, 0 for unknown */
    byte_map owners;  /* lock: thread + 1, with the depth above bit 32 */
    byte_map readers; /* lock: how many hold it shared */
    uint8_t forked[THREADS], ended[THREADS];
    uint32_t depth[THREADS];
    uint32_t calls[THREADS][CALLS]; /* the sites of the outermost open ones */
    size_t broken;
} state;

static void complain(state *checker, size_t i, const ser_record *record, const char *rule)
{
    if (checker->broken++ < 20)
        fprintf(stderr, "harness: record %zu: thread %u, op %u, object %#llx, value %#llx: %s\n", i,
                record->thread, record->op, (unsigned long long)record->object,
                (unsigned long long)record->value, rule);
}

static void write_byte(state *checker, uint64_t address, uint8_t value)
{
    *map_at(&checker->bytes, address) = 256u + value;
}

static bool read_byte(state *checker, uint64_t address, uint8_t value)
{
    uint64_t *known = map_at(&checker->bytes, address);
    bool right = !*known || *known == 256u + value;
    *known = 256u + value;
    return right;
}

static void check_access(state *checker, size_t i, const ser_record *record)
{
    bool right = true;
    size_t size = record->size < 8 ? record->size : 8;
    for (size_t k = 0; k < size; k++) {
        uint8_t byte = (uint8_t)(record->value >> 8 * k);
        if (record->op == SER_OP_READ)
            right = read_byte(checker, record->object + k, byte) && right;
        else
            write_byte(checker, record->object + k, byte);
    }
    if (!right)
        complain(checker, i, record, "the value is not that of the last write");
    if (record->size == 0 || record->size > 16)
        complain(checker, i, record, "an access without a size");
}

/* A chunk continues the access before it: as a read if that was one. */
static void check_chunk(state *checker, size_t i, const ser_record *record)
{
    ser_record access = *record;
    access.op = record[-1].op;
    check_access(checker, i, &access);
}

static void forget_range(state *checker, const ser_record *record)
{
    for (uint64_t k = 0; k < record->value && k < 1 << 20; k++)
        *map_at(&checker->bytes, record->object + k) = 0;
}

static void check_lock(state *checker, size_t i, const ser_record *record)
{
    uint64_t *owner = map_at(&checker->owners, record->object);
    uint64_t *readers = map_at(&checker->readers, record->object);
    uint64_t me = record->thread + 1u;
    bool mine = (*owner & UINT32_MAX) == me;
    switch (record->op) {
    case SER_OP_ACQUIRE:
        if ((*owner && !mine) || *readers)
            complain(checker, i, record, "acquires what another holds");
        *owner = mine ? *owner + (UINT64_C(1) << 32) : me;
        break;
    case SER_OP_RELEASE:
        if (!mine)
            complain(checker, i, record, "releases what it does not hold");
        *owner = *owner >> 32 ? *owner - (UINT64_C(1) << 32) : 0;
        break;
    case SER_OP_SHARED_ACQUIRE:
        if (*owner && !mine)
            complain(checker, i, record, "acquires shared what another holds");
        ++*readers;
        break;
    case SER_OP_SHARED_RELEASE:
        if (!*readers)
            complain(checker, i, record, "releases shared what nobody holds");
        *readers -= *readers > 0;
        break;
    default:
        if (!*owner && !*readers)
            complain(checker, i, record, "failed to take what is free");
    }
}

static void check_thread(state *checker, size_t i, const ser_record *record)
{
    uint64_t other = record->object;
    if (other >= THREADS || other == record->thread) {
        complain(checker, i, record, "names a wrong thread");
    } else if (record->op == SER_OP_FORK) {
        if (checker->forked[other])
            complain(checker, i, record, "forks what was forked before, or ran");
        checker->forked[other] = 1;
    } else {
        checker->ended[other] = 1;
    }
}

static void check_calls(state *checker, size_t i, const ser_record *record)
{
    uint32_t *depth = &checker->depth[record->thread], *calls = checker->calls[record->thread];
    if (record->op == SER_OP_CALL) {
        if (*depth < CALLS)
            calls[*depth] = record->site;
        ++*depth;
    } else if (*depth == 0) {
        complain(checker, i, record, "returns without a call");
    } else {
        --*depth;
        if (*depth < CALLS && calls[*depth] != record->site)
            complain(checker, i, record, "returns from another function");
    }
}

static void check_record(state *checker, size_t i, const ser_record *record)
{
    if (checker->ended[record->thread] && record->op != SER_RAW_END)
        complain(checker, i, record, "comes after a join of its thread");
    if (record->thread > 0 && !checker->forked[record->thread] && record->op < SER_OP_COUNT) {
        complain(checker, i, record, "comes before the fork of its thread");
        checker->forked[record->thread] = 1;
    }
    switch (record->op) {
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        check_access(checker, i, record);
        break;
    case SER_RAW_CHUNK:
        check_chunk(checker, i, record);
        break;
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_TRY_FAILED:
        check_lock(checker, i, record);
        break;
    case SER_OP_FORK:
    case SER_OP_JOIN:
        check_thread(checker, i, record);
        break;
    case SER_OP_CALL:
    case SER_OP_RETURN:
        check_calls(checker, i, record);
        break;
    case SER_RAW_ALLOCATE:
    case SER_RAW_RANGE_WRITE:
    case SER_RAW_RANGE_FREE:
    case SER_RAW_LOCAL:
    case SER_RAW_MAP:
        forget_range(checker, record);
        break;
    default:
        break;
    }
}

size_t harness_check(const harness_run *run)
{
    state *checker = calloc(1, sizeof *checker);
    checker->forked[0] = 1;
    for (size_t i = 0; i < run->count; i++)
        check_record(checker, i, &run->records[i]);
    size_t broken = checker->broken;
    map_free(&checker->bytes);
    map_free(&checker->owners);
    map_free(&checker->readers);
    free(checker);
    return broken;
}

static const char *name_of(uint8_t op)
{
    static const char *const names[] = {
#define SER_X(symbol, name, ...) name,
        SER_OPERATIONS(SER_X)
#undef SER_X
    };
    static const char *const raw[] = {
        "text",     "site",   "site_line", "site_code", "module",      "thread",
        "allocate", "free",   "local",     "map",       "range_r",     "range_w",
        "lost",     "stolen", "blocked",   "deadlock",  "end_program", "chunk"};
    if (op < SER_OP_COUNT)
        return names[op];
    size_t number = (size_t)op - SER_RAW_FIRST; /* wraps below it */
    return number < sizeof raw / sizeof *raw ? raw[number] : "?";
}

void harness_print(const harness_run *run)
{
    byte_map numbers = {0};
    for (size_t i = 0; i < run->count; i++) {
        const ser_record *record = &run->records[i];
        uint64_t *number = map_at(&numbers, record->object);
        bool plain = record->op == SER_OP_FORK || record->op == SER_OP_JOIN ||
                     record->op == SER_OP_CALL || record->op == SER_OP_RETURN ||
                     record->op == SER_OP_BEGIN || record->op == SER_RAW_END;
        if (!plain && !*number)
            *number = numbers.count;
        printf("T%u %s %s%llu size=%u site=%u\n", record->thread, name_of(record->op),
               plain ? "" : "A", (unsigned long long)(plain ? record->object : *number),
               record->size, record->site);
    }
    map_free(&numbers);
}
