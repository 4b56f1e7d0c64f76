/* SPDX-License-Identifier: MIT */
#include "record/memory/word_locks.h"

void ser_word_locks_fini(ser_word_locks *locks)
{
    ser_pairmap_fini(&locks->numbers);
    ser_vector_free(&locks->words);
    ser_vector_free(&locks->awaited);
}

/* The number of the word, plus one; 0: it was never updated in one step. */
static uint32_t number_of(ser_word_locks *locks, const ser_memory_object *object, uint64_t offset,
                          const ser_record *record)
{
    if (!ser_op_updates((ser_op)record->op))
        return ser_pairmap_get(&locks->numbers, object->id, offset, 0);
    uint32_t *number = ser_pairmap_add(&locks->numbers, object->id, offset, 0);
    if (*number == 0) {
        ser_vector_push(&locks->words, ((ser_word_use){.size = record->size}));
        *number = (uint32_t)locks->words.count;
        uint64_t bit = record->object / 4 % SER_WORD_FILTER;
        locks->filter[bit / 8] |= (uint8_t)(1U << bit % 8);
    }
    return *number;
}

/* Who waits for a word does nothing else that others can see. */
static void stop_waiting(ser_word_locks *locks, uint16_t thread, bool has_it)
{
    uint32_t *awaited = ser_vector_slot(&locks->awaited, thread);
    if (*awaited == 0)
        return;
    locks->words.items[*awaited - 1].is_data |= !has_it;
    locks->waiting--;
    *awaited = 0;
}

static void start_waiting(ser_word_locks *locks, uint16_t thread, uint32_t number)
{
    uint32_t *awaited = ser_vector_slot(&locks->awaited, thread);
    locks->waiting += *awaited == 0;
    *awaited = number;
}

static void set_to_zero(ser_word_use *word, uint32_t self)
{
    word->is_data |= word->holder != self;
    word->is_put_back |= word->holder == self;
    word->holder = 0;
}

static void take(ser_word_use *word, uint32_t self)
{
    word->holder = self;
    word->taken += word->taken == 0 || (word->taken == 1 && word->first != self);
    word->first = word->first ? word->first : self;
}

static void update(ser_word_locks *locks, uint32_t number, const ser_record *record, uint64_t value,
                   bool may_take)
{
    ser_word_use *word = &locks->words.items[number - 1];
    uint32_t self = record->thread + 1u;
    if (word->holder == 0) {
        word->is_data |= !may_take;
        take(word, self);
        stop_waiting(locks, record->thread, true);
    } else if (word->holder == self) {
        word->is_data |= value >= word->value;
    } else {
        word->is_data |= value < word->value;
        start_waiting(locks, record->thread, number);
    }
}

static uint64_t value_of(const ser_record *record)
{
    enum { WORD = 8, BYTE_BITS = 8 };
    return record->size < WORD ? record->value & ((UINT64_C(1) << BYTE_BITS * record->size) - 1)
                               : record->value;
}

void ser_word_locks_add(ser_word_locks *locks, const ser_memory_object *object, uint64_t offset,
                        const ser_record *record, bool may_take)
{
    uint64_t value = value_of(record);
    uint32_t number = number_of(locks, object, offset, record);
    if (locks->waiting && *ser_vector_slot(&locks->awaited, record->thread) != number)
        stop_waiting(locks, record->thread, false);
    if (number == 0)
        return;
    ser_word_use *word = &locks->words.items[number - 1];
    bool updates = ser_op_updates((ser_op)record->op);
    word->is_data |= record->size != word->size || (value && !updates);
    if (value == 0)
        set_to_zero(word, record->thread + 1u);
    else if (updates)
        update(locks, number, record, value, may_take);
    word->value = value;
}

void ser_word_locks_go_on(ser_word_locks *locks, uint16_t thread)
{
    if (locks->waiting)
        stop_waiting(locks, thread, false);
}

void ser_word_locks_finish(ser_word_locks *locks)
{
    for (size_t i = 0; i < locks->awaited.count; i++)
        stop_waiting(locks, (uint16_t)i, false);
    for (size_t i = 0; i < locks->words.count; i++)
        locks->words.items[i].holder = 0;
}

ser_word_use *ser_word_locks_find(ser_word_locks *locks, const ser_memory_object *object,
                                  uint64_t offset)
{
    uint32_t number = ser_pairmap_get(&locks->numbers, object->id, offset, 0);
    ser_word_use *word = number ? &locks->words.items[number - 1] : NULL;
    return word && word->is_put_back && word->taken > 1 && !word->is_data ? word : NULL;
}

ser_op ser_word_lock_step(ser_word_use *word, const ser_record *record)
{
    uint32_t self = record->thread + 1u, holder = word->holder;
    bool writes = ser_op_writes((ser_op)record->op), is_zero = value_of(record) == 0;
    if (holder == self) {
        word->holder = writes && is_zero ? 0 : self;
        return writes && is_zero ? SER_OP_RELEASE : SER_OP_SKIP;
    }
    if (holder || is_zero || !writes)
        return holder && !is_zero ? SER_OP_TRY_FAILED : SER_OP_SKIP;
    word->holder = self;
    return SER_OP_ACQUIRE;
}
