/* SPDX-License-Identifier: MIT */
/*
 * survey.h - the first pass over the records of a run.
 *
 * Collects what the second pass (finish.h) needs from the start: where accesses cut memory into
 * cells, what numbers of texts and sites stand for, which locks are not used as such and which
 * variables are, and which streams have both ends in the program; and counts what limits apply to.
 * It is fed while the program runs, or from a spool. Cost: some tens of instructions per record.
 * Not thread-safe.
 */
#ifndef SER_RECORD_EVENTS_SURVEY_H
#define SER_RECORD_EVENTS_SURVEY_H

#include "record/capture/definitions.h"
#include "record/events/streams.h"
#include "record/events/unseen.h"
#include "record/memory/memory.h"
#include "record/naming/naming.h"

typedef struct ser_record_survey {
    ser_definitions definitions;
    ser_objects objects;
    ser_cuts cuts;
    ser_fields fields;
    ser_handovers handovers;
    ser_word_locks words;
    SER_VECTOR(bool) late; /* by thread: its next access comes after some that were not recorded */
    ser_message_streams streams;
    ser_unseen unseen;
    ser_object_users users;
    ser_sharing *sharing; /* NULL: not wanted */
    ser_recall recall;    /* accesses that make no new cut; flag: their name is known as well; word:
                             the last thread plus one */
    uint64_t events;      /* records that become events, one or more each */
    bool deadlock;        /* there is a report of one */
    uint64_t thread_limit; /* the thread limit, if it was reached; 0: it was not */
} ser_record_survey;

/* The bytes of an access. */
static inline uint8_t ser_access_size(const ser_record *record)
{
    return record->size <= 16 ? record->size : 16;
}

/* Where so many bytes end. */
static inline uint64_t ser_record_access_end(uint64_t address, uint64_t size)
{
    return size > UINT64_MAX - address ? UINT64_MAX : address + size;
}

/* The bytes of a range; none, if it is longer than ranges are. */
static inline uint64_t ser_record_range_size(const ser_record *record)
{
    static const uint64_t most = UINT64_C(1) << 36;
    return record->value <= most ? record->value : 0;
}

/* A survey is large: on the heap. */
ser_record_survey *ser_record_survey_create(void);
void ser_record_survey_destroy(ser_record_survey *survey);

/* Find out also which memory several threads access. Before anything is added. */
void ser_record_survey_watch_sharing(ser_record_survey *survey);

void ser_record_survey_add(ser_record_survey *survey, const ser_record *records, size_t count);

/* After the last of them. */
void ser_record_survey_finish(ser_record_survey *survey);

#endif
