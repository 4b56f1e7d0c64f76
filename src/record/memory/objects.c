/* SPDX-License-Identifier: MIT */
/*
 * Small objects are listed in the pages they lie in, large ones in one list, both
 * sorted by address. A page's list is asked first, so that a small object inside
 * a large one has its bytes without cutting the large one into pieces.
 * ser_objects_find mostly gets by with the object that was found there before.
 *
 * Local variables begin by the million, over those of frames that are gone. So pages are small, and
 * their lists short; and an object that has the same bytes as one before takes its slot without a
 * look at any list. Blocks of the heap are freed and allocated again as often: one that is freed
 * stays where it is until others take its bytes; usually that is an object of the same place and
 * size.
 */
#include "record/memory/objects.h"

#include "base/status.h"

enum { PAGE_BITS = SER_OBJECT_PAGE_BITS, PAGE = 1 << PAGE_BITS, LARGE = 1 << 14 };

void ser_objects_init(ser_objects *objects)
{
    memset(objects, 0, sizeof *objects);
    ser_memory_object rest = {.size = UINT64_MAX, .carved = true};
    ser_vector_push(&objects->slots, rest);
    ser_vector_push(&objects->whole, 0);
    objects->next_id = 1;
}

void ser_objects_fini(ser_objects *objects)
{
    for (size_t i = 0; i < objects->slots.count; i++)
        free(objects->slots.items[i].variables);
    for (size_t i = 0; i < objects->pages.count; i++)
        ser_vector_free(&objects->pages.items[i]);
    ser_vector_free(&objects->slots);
    ser_vector_free(&objects->whole);
    ser_vector_free(&objects->free_slots);
    ser_vector_free(&objects->pages);
    ser_vector_free(&objects->large);
    ser_pairmap_fini(&objects->page_numbers);
}

/* --- slots ---------------------------------------------------------------- */

static uint32_t take_slot(ser_objects *objects)
{
    if (objects->free_slots.count > 0)
        return objects->free_slots.items[--objects->free_slots.count];
    ser_vector_extend(&objects->slots, objects->slots.count + 1);
    ser_vector_extend(&objects->whole, objects->slots.count);
    return (uint32_t)objects->slots.count - 1;
}

static void end_object(ser_objects *objects, uint32_t slot)
{
    ser_memory_object *object = ser_objects_at(objects, slot);
    free(object->variables);
    *object = (ser_memory_object){0};
    ser_vector_push(&objects->free_slots, slot);
}

static void mark_carved(ser_objects *objects, uint32_t slot)
{
    ser_objects_at(objects, slot)->carved = true;
    objects->whole.items[slot] = 0;
}

static void lose_bytes(ser_objects *objects, uint32_t slot, uint64_t bytes)
{
    ser_memory_object *object = ser_objects_at(objects, slot);
    mark_carved(objects, slot);
    object->left -= bytes;
    if (object->left == 0)
        end_object(objects, slot);
}

/* --- lists ---------------------------------------------------------------- */

/* The place of the first stretch that ends behind the address. */
static size_t place_of(const ser_stretches *list, uint64_t address)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->items[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void insert(ser_stretches *list, size_t place, ser_stretch stretch)
{
    ser_vector_reserve(list, list->count + 1);
    memmove(list->items + place + 1, list->items + place,
            (list->count - place) * sizeof *list->items);
    list->items[place] = stretch;
    list->count++;
}

static void remove_at(ser_stretches *list, size_t place, size_t count)
{
    if (count == 0)
        return;
    memmove(list->items + place, list->items + place + count,
            (list->count - place - count) * sizeof *list->items);
    list->count -= count;
}

/* Afterwards no stretch of the list has bytes of [start, end). `at` is the place of the start;
 * returns where the stretch belongs. */
static size_t carve_at(ser_objects *objects, ser_stretches *list, size_t place, uint64_t start,
                       uint64_t end)
{
    size_t last;
    if (place < list->count && list->items[place].start < start) {
        ser_stretch *cut = &list->items[place];
        ser_stretch behind = {end, cut->end, cut->slot};
        uint64_t old_end = cut->end;
        cut->end = start;
        place++;
        if (old_end > end)
            insert(list, place, behind);
        lose_bytes(objects, behind.slot, (old_end < end ? old_end : end) - start);
    }
    for (last = place; last < list->count && list->items[last].end <= end; last++)
        lose_bytes(objects, list->items[last].slot,
                   list->items[last].end - list->items[last].start);
    remove_at(list, place, last - place);
    if (place < list->count && list->items[place].start < end) {
        uint64_t lost = end - list->items[place].start;
        list->items[place].start = end;
        lose_bytes(objects, list->items[place].slot, lost);
    }
    return place;
}

static size_t carve(ser_objects *objects, ser_stretches *list, uint64_t start, uint64_t end)
{
    return carve_at(objects, list, place_of(list, start), start, end);
}

/* --- pages ---------------------------------------------------------------- */

static ser_stretches *find_page(const ser_objects *objects, uint64_t address)
{
    uint32_t number = ser_pairmap_get(&objects->page_numbers, 0, address >> PAGE_BITS, UINT32_MAX);
    return number == UINT32_MAX ? NULL : &objects->pages.items[number];
}

static ser_stretches *make_page(ser_objects *objects, uint64_t address)
{
    uint32_t fresh = (uint32_t)objects->pages.count;
    uint32_t number = *ser_pairmap_add(&objects->page_numbers, 0, address >> PAGE_BITS, fresh);
    if (number == fresh) {
        ser_vector_extend(&objects->pages, (size_t)fresh + 1);
        memset(objects->quiet, 0, sizeof objects->quiet);
    }
    return &objects->pages.items[number];
}

static uint64_t page_end(uint64_t address, uint64_t end)
{
    uint64_t next = (address | (PAGE - 1)) + 1;
    return next != 0 && next < end ? next : end;
}

/* Takes the bytes from small objects. There may be fewer pages than the stretch has. */
static void carve_pages(ser_objects *objects, uint64_t start, uint64_t end)
{
    if ((end - start) >> PAGE_BITS > objects->pages.count) {
        for (size_t i = 0; i < objects->pages.count; i++)
            carve(objects, &objects->pages.items[i], start, end);
        return;
    }
    for (uint64_t at = start; at < end; at = page_end(at, end)) {
        ser_stretches *page = find_page(objects, at);
        if (page)
            carve(objects, page, at, page_end(at, end));
    }
}

/* Objects that a new small one lies in stay as they are, but are marked as no longer owning all
 * of their bytes. */
static void mark_large(ser_objects *objects, uint64_t start, uint64_t end)
{
    const ser_stretches *large = &objects->large;
    for (size_t i = place_of(large, start); i < large->count && large->items[i].start < end; i++)
        mark_carved(objects, large->items[i].slot);
}

/* --- lives ---------------------------------------------------------------- */

static void place_in_page(ser_objects *objects, ser_stretches *page, ser_stretch part)
{
    size_t place = place_of(page, part.start);
    if (place < page->count && page->items[place].start == part.start &&
        page->items[place].end == part.end) {
        lose_bytes(objects, page->items[place].slot, part.end - part.start);
        page->items[place].slot = part.slot;
    } else {
        insert(page, carve_at(objects, page, place, part.start, part.end), part);
    }
}

static void place_small(ser_objects *objects, ser_stretch all)
{
    mark_large(objects, all.start, all.end);
    for (uint64_t at = all.start; at < all.end; at = page_end(at, all.end)) {
        ser_stretch part = {at, page_end(at, all.end), all.slot};
        place_in_page(objects, make_page(objects, at), part);
    }
}

static void place_large(ser_objects *objects, ser_stretch all)
{
    carve_pages(objects, all.start, all.end);
    memset(objects->quiet, 0, sizeof objects->quiet);
    insert(&objects->large, carve(objects, &objects->large, all.start, all.end), all);
}

static uint32_t *latest_at(ser_objects *objects, uint64_t base)
{
    return &objects->latest[base / 8 % SER_OBJECT_LATEST];
}

/* A local variable of a frame that comes again and again mostly replaces itself: the slot of an
 * object that has exactly these bytes, if a quick look finds one. 0: none. */
static uint32_t equal_slot(ser_objects *objects, uint64_t base, uint64_t size)
{
    uint32_t slot = *latest_at(objects, base);
    const ser_memory_object *object = ser_objects_at(objects, slot);
    return object->base == base && object->size == size && !object->carved ? slot : 0;
}

static void place_object(ser_objects *objects, uint64_t base, uint64_t size, uint32_t slot)
{
    ser_stretch all = {base, base + size, slot};
    if (size > LARGE)
        place_large(objects, all);
    else
        place_small(objects, all);
}

static ser_memory_object *begin_object(ser_objects *objects, const ser_record *record,
                                       ser_memory_object_kind kind)
{
    uint64_t base = record->object, size = record->value;
    if (size == 0 || base == 0 || size > UINT64_MAX - base || objects->next_id == UINT32_MAX)
        return NULL;
    uint32_t equal = equal_slot(objects, base, size), slot = equal ? equal : take_slot(objects);
    ser_memory_object *object = ser_objects_at(objects, slot);
    free(object->variables);
    *object = (ser_memory_object){
        .base = base,
        .size = size,
        .left = size,
        .id = objects->next_id++,
        .site = record->site,
        .thread = record->thread,
        .kind = (uint8_t)kind,
    };
    objects->whole.items[slot] = object->id;
    *latest_at(objects, base) = slot;
    if (!equal)
        place_object(objects, base, size, slot);
    return ser_objects_at(objects, slot);
}

/* Also a block without bytes is one that is freed. */
static ser_memory_object *begin_block(ser_objects *objects, const ser_record *record)
{
    ser_record block = *record;
    if (block.value == 0)
        block.value = 1;
    return begin_object(objects, &block, SER_OBJECT_HEAP);
}

/* A part of a mapping. A whole block, which a size of 0 stands for, keeps its bytes until
 * another object takes them: an access before that is an access of freed memory. */
static void free_memory(ser_objects *objects, uint64_t base, uint64_t size)
{
    if (size == 0 || size > UINT64_MAX - base)
        return;
    carve_pages(objects, base, base + size);
    carve(objects, &objects->large, base, base + size);
}

ser_memory_object *ser_objects_apply(ser_objects *objects, const ser_record *record)
{
    switch (record->op) {
    case SER_RAW_ALLOCATE:
        return begin_block(objects, record);
    case SER_RAW_MAP:
        return begin_object(objects, record, SER_OBJECT_MAPPING);
    case SER_RAW_THREAD:
        return begin_object(objects, record, SER_OBJECT_STACK);
    case SER_RAW_LOCAL:
        return begin_object(objects, record, SER_OBJECT_LOCAL);
    case SER_RAW_FREE:
        free_memory(objects, record->object, record->value);
        return NULL;
    default:
        return NULL;
    }
}

/* --- finding -------------------------------------------------------------- */

/* If a stretch of the list contains the address: its part from there on. If not, *end is lowered
 * to the next stretch. */
static bool look_in(const ser_stretches *list, uint64_t address, uint64_t *end, ser_stretch *found)
{
    size_t place = place_of(list, address);
    if (place == list->count)
        return false;
    const ser_stretch *stretch = &list->items[place];
    if (stretch->start <= address) {
        *found = (ser_stretch){address, stretch->end < *end ? stretch->end : *end, stretch->slot};
        return true;
    }
    if (stretch->start < *end)
        *end = stretch->start;
    return false;
}

/* Does a stretch of the list have bytes of the page? */
static bool meets(const ser_stretches *list, uint64_t page)
{
    size_t place = place_of(list, page);
    return place < list->count && list->items[place].start <= (page | (PAGE - 1));
}

/* The owner of the bytes of one page. */
static ser_stretch find_in_page(ser_objects *objects, uint64_t address, uint64_t end)
{
    uint64_t number = address >> PAGE_BITS, *quiet = &objects->quiet[number % SER_OBJECT_QUIET];
    if (*quiet == number + 1)
        return (ser_stretch){address, end, 0};
    const ser_stretches *page = find_page(objects, address);
    ser_stretch found;
    if (page && look_in(page, address, &end, &found))
        return found;
    if (look_in(&objects->large, address, &end, &found))
        return found;
    if (!page && !meets(&objects->large, number << PAGE_BITS))
        *quiet = number + 1;
    return (ser_stretch){address, end, 0};
}

ser_stretch ser_objects_find(ser_objects *objects, uint64_t address, uint64_t size)
{
    uint32_t *cached = &objects->cache[(address >> 4) % SER_OBJECT_CACHE];
    const ser_memory_object *object = ser_objects_at(objects, *cached);
    if (!object->carved && address - object->base < object->size &&
        size <= object->size - (address - object->base))
        return (ser_stretch){address, address + size, *cached};

    uint64_t end = size > UINT64_MAX - address ? UINT64_MAX : address + size;
    ser_stretch found = find_in_page(objects, address, page_end(address, end));
    while (found.end < end) {
        ser_stretch next = find_in_page(objects, found.end, page_end(found.end, end));
        if (next.slot != found.slot)
            break;
        found.end = next.end;
    }
    *cached = found.slot;
    return found;
}
