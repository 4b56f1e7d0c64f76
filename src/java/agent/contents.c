/* SPDX-License-Identifier: MIT */
#include "java/agent/contents.h"

#include <stdlib.h>

#include "contract/managed.h"

enum { MOST_KEYS = 64 };

typedef struct part {
    uint64_t key, version;
} part;

typedef struct contents {
    uint32_t identity; /* 0: free */
    uint32_t count;    /* of parts: 0 is the whole, the others are keys */
    bool looked_at;    /* as a whole */
    uint8_t role;
    part *parts;
} contents;

static struct {
    contents *entries; /* open addressing */
    uint32_t room, count;
} known;

static contents *slot_of(contents *entries, uint32_t room, uint32_t identity)
{
    uint32_t at = identity * 2654435761u & (room - 1);
    while (entries[at].identity && entries[at].identity != identity)
        at = (at + 1) & (room - 1);
    return &entries[at];
}

static bool make_room(void)
{
    enum { FIRST_ROOM = 1024 };
    if (known.count * 2 < known.room)
        return true;
    uint32_t room = known.room ? known.room * 2 : FIRST_ROOM;
    contents *larger = calloc(room, sizeof *larger);
    if (!larger)
        return false;
    for (uint32_t i = 0; i < known.room; i++)
        if (known.entries[i].identity)
            *slot_of(larger, room, known.entries[i].identity) = known.entries[i];
    free(known.entries);
    known.entries = larger;
    known.room = room;
    return true;
}

/* Null: there is no memory. */
static contents *find(uint32_t identity)
{
    if (!make_room())
        return NULL;
    contents *found = slot_of(known.entries, known.room, identity);
    if (found->identity)
        return found;
    part *whole = calloc(1, sizeof *whole);
    if (!whole)
        return NULL;
    *found = (contents){.identity = identity, .count = 1, .parts = whole};
    known.count++;
    return found;
}

/* Which part a key is; *shared: perhaps with others. */
static uint32_t part_of(contents *of, uint64_t key, bool *shared)
{
    for (uint32_t i = 1; i < of->count; i++)
        if (of->parts[i].key == key)
            return i;
    *shared = of->count > MOST_KEYS;
    part *larger = *shared ? NULL : realloc(of->parts, (of->count + 1) * sizeof *larger);
    if (!larger) {
        *shared = true;
        return of->count > 1 ? 1 + (uint32_t)(key % (of->count - 1)) : 0;
    }
    larger[of->count] = (part){.key = key};
    of->parts = larger;
    return of->count++;
}

static uint64_t address_of(const contents *of, uint32_t number)
{
    return ser_managed_field(of->identity, SER_MANAGED_WHOLE + number);
}

static void put_part(ser_thread *me, contents *of, uint32_t number, int op, uint32_t site)
{
    of->parts[number].version += op != SER_OP_READ;
    ser_put_record(me, address_of(of, number), of->parts[number].version,
                   ser_tag(op, sizeof(uint64_t), site));
}

/* A change of what is under a key is one of the whole for those who look at that: at once, as the
 * method is one step. */
static void put_with_whole(ser_thread *me, contents *of, uint32_t number, int op, uint32_t site)
{
    int both = op == SER_OP_WRITE ? SER_RAW_PAIR_WRITE : SER_RAW_PAIR_UPDATE;
    of->parts[0].version++;
    of->parts[number].version++;
    ser_put_record(me, address_of(of, 0), address_of(of, number), ser_tag(both, 0, site));
    ser_count_recorded(me);
}

static void put_key(ser_thread *me, contents *of, uint64_t key, int op, uint32_t site)
{
    bool shared = false;
    uint32_t number = part_of(of, key, &shared);
    if (shared && op == SER_OP_WRITE)
        op = SER_OP_RMW;
    if (op != SER_OP_READ && of->looked_at && number > 0)
        put_with_whole(me, of, number, op, site);
    else
        put_part(me, of, number, op, site);
}

static void put_all(ser_thread *me, const contents *of, int op, uint32_t site)
{
    ser_put_record(me, address_of(of, 0), of->count * sizeof(uint64_t),
                   ser_tag(op, SER_RANGE_AT_ONCE, site));
    ser_count_recorded(me);
}

static void put_whole(ser_thread *me, contents *of, int op, uint32_t site)
{
    of->looked_at = true;
    if (of->count == 1) {
        put_part(me, of, 0, op, site);
        return;
    }
    for (uint32_t i = 0; i < of->count; i++)
        of->parts[i].version += op != SER_OP_READ;
    if (op != SER_OP_WRITE)
        put_all(me, of, SER_RAW_RANGE_READ, site);
    if (op != SER_OP_READ)
        put_all(me, of, SER_RAW_RANGE_WRITE, site);
}

void ser_contents_put(ser_thread *me, uint32_t identity, uint64_t key, int op, uint32_t site)
{
    contents *of = find(identity);
    if (!of)
        ser_lose(1);
    else if (key)
        put_key(me, of, key, op, site);
    else
        put_whole(me, of, op, site);
}

void ser_contents_resize(ser_thread *me, uint32_t identity, uint64_t key, int op, uint32_t site)
{
    contents *of = find(identity);
    bool shared = false;
    uint32_t number = of ? part_of(of, key, &shared) : 0;
    if (!of)
        ser_lose(1);
    else if (op == SER_OP_READ || number == 0)
        put_part(me, of, 0, op, site);
    else
        put_with_whole(me, of, number, op, site);
}

void ser_contents_put_value(ser_thread *me, uint32_t identity, int op, uint64_t value,
                            uint32_t site)
{
    ser_put_record(me, ser_managed_whole(identity), value, ser_tag(op, sizeof value, site));
}

uint8_t *ser_contents_role(uint32_t identity)
{
    contents *of = find(identity);
    return of ? &of->role : NULL;
}
