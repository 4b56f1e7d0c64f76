/* SPDX-License-Identifier: MIT */
/*
 * locking.h - inside of events.h: variables that are used as locks (record/memory/word_locks.h).
 *
 * What takes such a word, gives it back, or finds it taken is an event of a lock with its name.
 * Other looks, and who sleeps there or wakes others, are part of taking it, and no events.
 */
#ifndef SER_RECORD_EVENTS_LOCKING_H
#define SER_RECORD_EVENTS_LOCKING_H

#include "record/events/events.h"

/* The slow path: the word may be one. */
bool ser_locking_add_word(ser_event_maker *maker, const ser_record *record);

/* An access, or an operation on a condition; false: it has nothing to do with such a word. */
static inline bool ser_locking_add(ser_event_maker *maker, const ser_record *record)
{
    return ser_word_locks_may_have(&maker->survey->words, record->object) &&
           ser_locking_add_word(maker, record);
}

#endif
