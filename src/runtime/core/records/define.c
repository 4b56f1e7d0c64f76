/* SPDX-License-Identifier: MIT */
/*
 * Definitions of texts, sites and modules, each recorded once, before the first record that uses
 * it.
 *
 * Serial mode: the thread that has the token writes them, between events. Parallel mode: they have
 * a ring and a lock of their own. Texts are known by content, sites by the number in the program's
 * own record of them, places without one by address.
 */
#include <link.h>
#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/turns/replay.h"

static ser_runtime_world *const world = &ser_the_world;

typedef struct text {
    const char *bytes; /* the program's; null: free */
    uint64_t hash;
    uint32_t length, number;
} text;

/* A place without a site: texts and line, or a code address with UINT64_MAX. */
typedef struct place {
    uint64_t a, b;
    uint32_t number; /* of its site; 0: free */
} place;

static struct {
    ser_lock lock; /* parallel mode */
    text *texts;   /* open addressing */
    uint32_t text_room, text_count;
    uint32_t site_count;
    uint64_t modules_seen; /* what the loader says it has added */
    place *places;         /* open addressing */
    uint32_t place_room, place_count;
} defined;

static void write_raw(ser_thread *me, int op, uint64_t object, uint64_t value, uint64_t extra,
                      uint32_t site)
{
    ser_record record = {.object = object,
                         .value = value,
                         .clock = extra,
                         .site = site,
                         .thread = (uint16_t)me->number,
                         .op = (uint8_t)op};
    ser_put_definition(me, &record);
}

static void write_text(ser_thread *me, uint32_t number, const char *bytes, uint32_t length)
{
    write_raw(me, SER_RAW_TEXT, number, length, 0, 0);
    for (uint32_t done = 0; done < length; done += sizeof(ser_record)) {
        ser_record record = {0};
        uint32_t left = length - done;
        memcpy(&record, bytes + done, left < sizeof record ? left : sizeof record);
        ser_put_definition(me, &record);
    }
}

static uint64_t hash_of(const char *bytes, uint32_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static text *slot_of(const char *bytes, uint32_t length, uint64_t hash)
{
    uint32_t i = (uint32_t)hash & (defined.text_room - 1);
    for (;; i = (i + 1) & (defined.text_room - 1)) {
        text *slot = &defined.texts[i];
        if (!slot->bytes || (slot->hash == hash && slot->length == length &&
                             memcmp(slot->bytes, bytes, length) == 0))
            return slot;
    }
}

/* Room for one more text. */
static bool make_room(void)
{
    if (defined.text_count * 2 < defined.text_room)
        return true;
    uint32_t old_room = defined.text_room;
    text *old = defined.texts;
    text *larger = ser_memory((old_room ? old_room * 2 : 1024) * sizeof *larger);
    if (!larger)
        return false;
    defined.texts = larger;
    defined.text_room = old_room ? old_room * 2 : 1024;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].bytes)
            *slot_of(old[i].bytes, old[i].length, old[i].hash) = old[i];
    return true;
}

/* The bytes are copied: the object that holds them may be unloaded. */
static const char *copy_of(const char *bytes, uint32_t length)
{
    char *copy = ser_memory(length + 1);
    return copy ? memcpy(copy, bytes, length) : 0;
}

static uint32_t number_of_text(ser_thread *me, const char *bytes)
{
    if (!bytes || !make_room())
        return 0;
    uint32_t length = (uint32_t)strnlen(bytes, UINT16_MAX);
    uint64_t hash = hash_of(bytes, length);
    text *slot = slot_of(bytes, length, hash);
    if (!slot->bytes) {
        const char *copy = copy_of(bytes, length);
        if (!copy)
            return 0;
        *slot = (text){copy, hash, length, ++defined.text_count};
        write_text(me, slot->number, copy, length);
    }
    return slot->number;
}

/* The loader has no name for the program itself. */
static uint32_t number_of_path(ser_thread *me, const char *name)
{
    char path[4096];
    if (*name)
        return number_of_text(me, name);
    long length =
        ser_sys(SYS_readlink, (long)"/proc/self/exe", (long)path, sizeof path - 1, 0, 0, 0);
    if (length <= 0)
        return 0;
    path[length] = '\0';
    return number_of_text(me, path);
}

static void lock_definitions(void)
{
    if (world->parallel)
        ser_lock_take(&defined.lock);
}

static void unlock_definitions(void)
{
    if (world->parallel)
        ser_lock_give(&defined.lock);
}

static int record_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    ser_thread *me = context;
    if (info->dlpi_adds == __atomic_load_n(&defined.modules_seen, __ATOMIC_ACQUIRE))
        return 1;
    lock_definitions();
    uint32_t path = number_of_path(me, info->dlpi_name);
    write_raw(me, SER_RAW_MODULE, info->dlpi_addr, path, 0, 0);
    unlock_definitions();
    return 0;
}

static int count_modules(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_adds;
    return 1;
}

/* Records all modules again whenever the loader has added some. Without the lock of definitions:
 * the loader holds its own lock during this, and frees memory under it, which records a place. */
static void record_modules(ser_thread *me)
{
    uint64_t adds = 0;
    dl_iterate_phdr(count_modules, &adds);
    dl_iterate_phdr(record_module, me);
    __atomic_store_n(&defined.modules_seen, adds, __ATOMIC_RELEASE);
}

/* The text of its guards; 0: none. */
static uint32_t number_of_guards(ser_thread *me, const ser_abi_site *site)
{
    return site->flags & SER_ABI_SITE_GUARDED ? number_of_text(me, site->guards) : 0;
}

static SER_COLD uint32_t define_site(ser_thread *me, ser_abi_site *site)
{
    record_modules(me);
    lock_definitions();
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_ACQUIRE);
    if (!number) {
        uint32_t file = number_of_text(me, site->file);
        uint32_t function = number_of_text(me, site->function);
        uint32_t name = number_of_text(me, site->name);
        number = ++defined.site_count;
        write_raw(me, SER_RAW_SITE, file, function, name, number);
        write_raw(me, SER_RAW_SITE_LINE, site->line,
                  site->column | (uint64_t)number_of_guards(me, site) << 32, site->flags, number);
        ser_replay_note_site(number, site->file, site->line,
                             site->flags & SER_ABI_SITE_CALL ? site->column : 0);
        __atomic_store_n(&site->number, number, __ATOMIC_RELEASE);
    }
    unlock_definitions();
    return number;
}

uint32_t ser_site_number(ser_thread *me, ser_abi_site *site)
{
    if (!site)
        return 0;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_ACQUIRE);
    return ser_likely(number) ? number : define_site(me, site);
}

uint32_t ser_text_number(ser_thread *me, const char *bytes)
{
    lock_definitions();
    uint32_t number = number_of_text(me, bytes);
    unlock_definitions();
    return number;
}

static place *place_slot(uint64_t a, uint64_t b)
{
    uint32_t mask = defined.place_room - 1;
    uint32_t i = (uint32_t)((a * 31 + b) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (defined.places[i].number && (defined.places[i].a != a || defined.places[i].b != b))
        i = (i + 1) & mask;
    return &defined.places[i];
}

static bool make_room_for_place(void)
{
    if (defined.place_count * 2 < defined.place_room)
        return true;
    uint32_t old_room = defined.place_room;
    place *old = defined.places;
    uint32_t room = old_room ? old_room * 2 : 1024;
    place *larger = ser_memory(room * sizeof *larger);
    if (!larger)
        return false;
    defined.places = larger;
    defined.place_room = room;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].number)
            *place_slot(old[i].a, old[i].b) = old[i];
    return true;
}

/* The slot of a place, with a number; *fresh if that is new. Null: no memory. */
static place *number_place(uint64_t a, uint64_t b, bool *fresh)
{
    if (!make_room_for_place())
        return 0;
    place *slot = place_slot(a, b);
    *fresh = !slot->number;
    if (*fresh) {
        defined.place_count++;
        *slot = (place){a, b, ++defined.site_count};
    }
    return slot;
}

uint32_t ser_place_number(ser_thread *me, const char *file, uint32_t line, const char *function)
{
    if (!file)
        return 0;
    lock_definitions();
    bool fresh = false;
    const place *slot = number_place((uintptr_t)file ^ (uintptr_t)function << 16, line, &fresh);
    if (fresh) {
        uint32_t file_text = number_of_text(me, file);
        write_raw(me, SER_RAW_SITE, file_text, number_of_text(me, function), 0, slot->number);
        write_raw(me, SER_RAW_SITE_LINE, line, 0, 0, slot->number);
        ser_replay_note_site(slot->number, file, line, 0);
    }
    unlock_definitions();
    return slot ? slot->number : 0;
}

uint32_t ser_code_number(ser_thread *me, uint64_t address)
{
    lock_definitions();
    bool fresh = false;
    const place *slot = number_place(address, UINT64_MAX, &fresh);
    if (fresh)
        write_raw(me, SER_RAW_SITE_CODE, address, 0, 0, slot->number);
    unlock_definitions();
    if (fresh)
        record_modules(me);
    return slot ? slot->number : 0;
}

uint32_t ser_here(ser_thread *me)
{
    return me->at || !me->code ? me->at : ser_code_number(me, me->code);
}
