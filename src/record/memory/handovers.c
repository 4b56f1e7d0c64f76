/* SPDX-License-Identifier: MIT */
/*
 * The rules of validation decide, so that what is not found here is a lock for validation, too.
 */
#include "record/memory/handovers.h"

void ser_handovers_fini(ser_handovers *handovers)
{
    ser_pairmap_fini(&handovers->numbers);
    ser_vector_free(&handovers->locks);
    ser_lock_rules_destroy(handovers->rules);
}

static ser_used_lock *find_lock(ser_handovers *handovers, const ser_memory_object *object,
                                uint64_t offset)
{
    uint32_t *number = ser_pairmap_add(&handovers->numbers, object->id, offset, 0);
    if (*number == 0) {
        ser_used_lock fresh = {.life = handovers->lives++};
        ser_vector_push(&handovers->locks, fresh);
        *number = (uint32_t)handovers->locks.count;
    }
    return &handovers->locks.items[*number - 1];
}

void ser_handovers_add(ser_handovers *handovers, const ser_memory_object *object, uint64_t offset,
                       const ser_record *record)
{
    ser_used_lock *lock = find_lock(handovers, object, offset);
    ser_event event = {.thread = record->thread, .object = lock->life, .op = record->op};
    ser_complaint unwanted = {.wanted = false};
    if (lock->handed_over)
        return;
    if (!handovers->rules)
        handovers->rules = ser_lock_rules_create();
    lock->handed_over = !ser_lock_rules_check(handovers->rules, &event, 1, &unwanted);
    handovers->count += lock->handed_over;
}

void ser_handovers_renew(ser_handovers *handovers, const ser_memory_object *object, uint64_t offset)
{
    uint32_t number = ser_pairmap_get(&handovers->numbers, object->id, offset, 0);
    if (number != 0)
        handovers->locks.items[number - 1].life = handovers->lives++;
}

bool ser_handovers_has(const ser_handovers *handovers, const ser_memory_object *object,
                       uint64_t offset)
{
    uint32_t number =
        handovers->count == 0 ? 0 : ser_pairmap_get(&handovers->numbers, object->id, offset, 0);
    return number != 0 && handovers->locks.items[number - 1].handed_over;
}
