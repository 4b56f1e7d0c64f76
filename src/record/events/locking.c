/* SPDX-License-Identifier: MIT */
#include "record/events/locking.h"

#include "record/events/elisions.h"

bool ser_locking_add_word(ser_event_maker *maker, const ser_record *record)
{
    ser_stretch part = ser_objects_find(&maker->objects, record->object, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
    ser_word_use *word =
        ser_word_locks_find(&maker->survey->words, object, record->object - object->base);
    bool is_access = ser_op_is_access((ser_op)record->op);
    if (!word || (is_access && record->size != word->size))
        return false;
    ser_op op = is_access ? ser_word_lock_step(word, record) : SER_OP_SKIP;
    if (op == SER_OP_SKIP) {
        ser_elisions_add(maker, record->thread, 1);
        return true;
    }
    uint32_t lock = ser_event_maker_sync(maker, SER_SPACE_LOCK, record->object, record->site);
    ser_elisions_write(maker, record->thread);
    ser_elisions_count(maker, record->thread, ser_batch_push(maker, record, op, lock));
    return true;
}
