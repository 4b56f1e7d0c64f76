/* SPDX-License-Identifier: MIT */
#include "record/events/unseen.h"

void ser_unseen_fini(ser_unseen *unseen)
{
    for (size_t i = 0; i < unseen->objects.count; i++)
        ser_vector_free(&unseen->objects.items[i].guards);
    for (size_t i = 0; i < unseen->held.count; i++)
        ser_vector_free(&unseen->held.items[i]);
    ser_vector_free(&unseen->objects);
    ser_vector_free(&unseen->held);
    ser_pairmap_fini(&unseen->numbers);
}

/* The last one that is at this place, plus one; 0: there is none. */
static size_t find_last(const ser_unseen_places *places, ser_unseen_place place)
{
    size_t i = places->count;
    while (i > 0 && (places->items[i - 1].object != place.object ||
                     places->items[i - 1].offset != place.offset))
        i--;
    return i;
}

void ser_unseen_count(ser_unseen *unseen, ser_op op)
{
    if (ser_op_forks(op))
        unseen->threads++;
    else if (ser_op_joins(op) && unseen->threads > 0)
        unseen->threads--;
}

/* A thread comes to the object. NULL: there is no other thread. */
static ser_unseen_object *come(ser_unseen *unseen, ser_unseen_place place, uint16_t thread)
{
    if (unseen->threads == 0)
        return NULL;
    uint32_t *number = ser_pairmap_add(&unseen->numbers, place.object, place.offset, 0);
    if (*number == 0) {
        ser_vector_push(&unseen->objects, ((ser_unseen_object){.thread = thread}));
        *number = (uint32_t)unseen->objects.count;
    }
    ser_unseen_object *met = &unseen->objects.items[*number - 1];
    met->is_shared |= met->thread != thread;
    return met;
}

void ser_unseen_lock(ser_unseen *unseen, const ser_memory_object *object, uint64_t offset,
                     const ser_record *record)
{
    ser_unseen_places *held = ser_vector_slot(&unseen->held, record->thread);
    const ser_unseen_place place = {object->id, offset};
    come(unseen, place, record->thread);
    if (ser_op_acquires((ser_op)record->op)) {
        ser_vector_push(held, place);
    } else if (ser_op_releases((ser_op)record->op)) {
        size_t found = find_last(held, place);
        if (found > 0)
            held->items[found - 1] = held->items[--held->count];
    }
}

static void keep_held(ser_unseen_places *guards, const ser_unseen_places *held)
{
    for (size_t i = guards->count; i > 0; i--)
        if (find_last(held, guards->items[i - 1]) == 0)
            guards->items[i - 1] = guards->items[--guards->count];
}

void ser_unseen_meet(ser_unseen *unseen, const ser_memory_object *object, uint64_t offset,
                     uint16_t thread)
{
    const ser_unseen_places *held = ser_vector_slot(&unseen->held, thread);
    ser_unseen_object *met = come(unseen, (ser_unseen_place){object->id, offset}, thread);
    if (met && met->is_met)
        keep_held(&met->guards, held);
    for (size_t i = 0; met && !met->is_met && i < held->count; i++)
        ser_vector_push(&met->guards, held->items[i]);
    if (met)
        met->is_met = unseen->is_any_met = true;
}

bool ser_unseen_is_chain(const ser_unseen *unseen, const ser_memory_object *object, uint64_t offset)
{
    uint32_t number = ser_pairmap_get(&unseen->numbers, object->id, offset, 0);
    const ser_unseen_object *met = number ? &unseen->objects.items[number - 1] : NULL;
    return met && met->is_met && met->is_shared && met->guards.count == 0;
}
