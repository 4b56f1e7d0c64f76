/* SPDX-License-Identifier: MIT */
#include "record/memory/sharing.h"

enum { SEVERAL = UINT16_MAX };

void ser_sharing_fini(ser_sharing *sharing)
{
    ser_vector_free(&sharing->small);
    ser_pairmap_fini(&sharing->numbers);
    ser_vector_free(&sharing->chunks);
}

static bool is_small(const ser_memory_object *object)
{
    return object->id != 0 && object->size <= (uint64_t)SER_SHARING_SMALL * SER_SHARING_GRAIN;
}

/* A thread whose number is too large for the field counts as several. */
static void touch(uint16_t *owner, uint16_t thread)
{
    uint16_t me = thread < SEVERAL - 1 ? (uint16_t)(thread + 1) : SEVERAL;
    *owner = *owner == 0 || *owner == me ? me : SEVERAL;
}

static ser_sharing_chunk *make_chunk(ser_sharing *sharing, uint32_t id, uint64_t place)
{
    uint32_t fresh = (uint32_t)sharing->chunks.count;
    uint32_t number = *ser_pairmap_add(&sharing->numbers, id, place, fresh);
    return ser_vector_slot(&sharing->chunks, number);
}

static void touch_chunks(ser_sharing *sharing, uint32_t id, uint64_t grain, uint64_t last,
                         uint16_t thread)
{
    while (grain <= last) {
        ser_sharing_chunk *chunk = make_chunk(sharing, id, grain / SER_SHARING_CHUNK);
        do
            touch(&chunk->owner[grain % SER_SHARING_CHUNK], thread);
        while (++grain <= last && grain % SER_SHARING_CHUNK != 0);
    }
}

void ser_sharing_add(ser_sharing *sharing, const ser_memory_object *object, uint64_t offset,
                     uint64_t end, uint16_t thread)
{
    uint64_t grain = offset / SER_SHARING_GRAIN, last = (end - 1) / SER_SHARING_GRAIN;
    if (!is_small(object)) {
        touch_chunks(sharing, object->id, grain, last, thread);
        return;
    }
    ser_sharing_small *small = ser_vector_slot(&sharing->small, object->id);
    for (; grain <= last; grain++)
        touch(&small->owner[grain], thread);
}

bool ser_sharing_is_shared(const ser_sharing *sharing, const ser_memory_object *object,
                           uint64_t offset)
{
    uint64_t grain = offset / SER_SHARING_GRAIN;
    if (is_small(object))
        return object->id < sharing->small.count &&
               sharing->small.items[object->id].owner[grain] == SEVERAL;
    uint32_t number =
        ser_pairmap_get(&sharing->numbers, object->id, grain / SER_SHARING_CHUNK, UINT32_MAX);
    return number != UINT32_MAX &&
           sharing->chunks.items[number].owner[grain % SER_SHARING_CHUNK] == SEVERAL;
}
