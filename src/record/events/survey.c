/* SPDX-License-Identifier: MIT */
#include "record/events/survey.h"

#include "contract/abi.h"
#include "trace/event.h"

ser_record_survey *ser_record_survey_create(void)
{
    ser_record_survey *survey = ser_alloc(1, sizeof *survey);
    ser_objects_init(&survey->objects);
    ser_cuts_init(&survey->cuts);
    return survey;
}

void ser_record_survey_destroy(ser_record_survey *survey)
{
    if (!survey)
        return;
    ser_definitions_fini(&survey->definitions);
    ser_objects_fini(&survey->objects);
    ser_cuts_fini(&survey->cuts);
    ser_fields_fini(&survey->fields);
    ser_handovers_fini(&survey->handovers);
    ser_word_locks_fini(&survey->words);
    ser_vector_free(&survey->late);
    ser_message_streams_fini(&survey->streams);
    ser_unseen_fini(&survey->unseen);
    ser_vector_free(&survey->users.users);
    if (survey->sharing)
        ser_sharing_fini(survey->sharing);
    free(survey->sharing);
    free(survey);
}

void ser_record_survey_watch_sharing(ser_record_survey *survey)
{
    survey->sharing = ser_alloc(1, sizeof *survey->sharing);
}

static void cut_part(ser_record_survey *survey, const ser_memory_object *object, ser_stretch part,
                     uint16_t thread)
{
    uint64_t offset = part.start - object->base, end = part.end - object->base;
    ser_cuts_add(&survey->cuts, object, offset, end);
    if (object->freed)
        ser_object_users_add_after_free(&survey->users, object->id);
    else
        ser_object_users_add(&survey->users, object->id, thread);
    if (survey->sharing)
        ser_sharing_add(survey->sharing, object, offset, end, thread);
}

/* Cuts the object of the first bytes; what is left is another's. */
static ser_stretch cut_first(ser_record_survey *survey, uint64_t address, uint64_t end,
                             uint16_t thread)
{
    ser_stretch part = ser_objects_find(&survey->objects, address, end - address);
    const ser_memory_object *object = ser_objects_at(&survey->objects, part.slot);
    cut_part(survey, object, part, thread);
    return part;
}

static void cut(ser_record_survey *survey, uint64_t address, uint64_t end, uint16_t thread)
{
    while (address < end)
        address = cut_first(survey, address, end, thread).end;
}

static void free_range(ser_record_survey *survey, const ser_record *record)
{
    uint64_t at = record->object, end = ser_record_access_end(at, ser_record_range_size(record));
    const ser_memory_object *first = NULL;
    while (at < end) {
        ser_stretch part = ser_objects_find(&survey->objects, at, end - at);
        ser_memory_object *object = ser_objects_at(&survey->objects, part.slot);
        first = first ? first : object;
        if (ser_object_is_freed_with(object, first)) {
            cut_part(survey, object, part, record->thread);
            object->freed = object->kind == SER_OBJECT_HEAP;
        }
        at = part.end;
    }
}

static void learn_name(ser_record_survey *survey, uint32_t slot, const ser_record *record,
                       uint32_t name)
{
    const ser_memory_object *object = ser_objects_at(&survey->objects, slot);
    if (name != 0)
        ser_fields_add(&survey->fields, object, record->object - object->base, record->site, name,
                       &survey->definitions);
}

/* An access that the survey does not remember, or not with a name or by this thread. */
static void add_new_access(ser_record_survey *survey, const ser_record *record, uint8_t size,
                           uint32_t name)
{
    uint64_t end = ser_record_access_end(record->object, size);
    if (record->object == end)
        return;
    ser_stretch part = cut_first(survey, record->object, end, record->thread);
    cut(survey, part.end, end, record->thread);
    learn_name(survey, part.slot, record, name);
    ser_recalled *known = part.end == end ? ser_recall_keep(&survey->recall, &survey->objects,
                                                            part.slot, record->object, size)
                                          : NULL;
    if (known) {
        known->flag = name != 0;
        known->word = record->thread + 1u;
    }
}

/* Of an access that may use a variable as a lock, or shows that its thread does not wait for one.
 */
static void note_word(ser_record_survey *survey, const ser_record *record)
{
    ser_stretch part = ser_objects_find(&survey->objects, record->object, 1);
    const ser_memory_object *object = ser_objects_at(&survey->objects, part.slot);
    unsigned flags = ser_definitions_site_flags(&survey->definitions, record->site);
    bool is_late = *ser_vector_slot(&survey->late, record->thread);
    ser_word_locks_add(&survey->words, object, record->object - object->base, record,
                       flags & SER_ABI_SITE_TAKES && !is_late);
}

static inline void look_for_word(ser_record_survey *survey, const ser_record *record)
{
    enum { WORD = 8 };
    ser_op op = (ser_op)record->op;
    const ser_word_locks *words = &survey->words;
    if (ser_op_writes(op) && record->size <= WORD &&
        (ser_op_updates(op) || words->waiting || ser_word_locks_may_have(words, record->object)))
        note_word(survey, record);
    if (record->thread < survey->late.count)
        survey->late.items[record->thread] = false;
}

/* Names of sites are not in the innermost cache, so they are looked up only where one is
 * missing. */
static inline void add_access(ser_record_survey *survey, const ser_record *record)
{
    uint8_t size = ser_access_size(record);
    look_for_word(survey, record);
    ser_recalled *known = ser_recall_entry(&survey->recall, record->object);
    bool cut_before = ser_recall_holds(known, &survey->objects, record->object, size);
    bool same_thread = known->word == record->thread + 1u;
    if (cut_before && !same_thread && !survey->sharing) {
        ser_object_users_add(&survey->users, known->id, record->thread);
        known->word = record->thread + 1u;
        same_thread = true;
    }
    if (cut_before && same_thread && known->flag)
        return;
    uint32_t name = ser_definitions_site_name(&survey->definitions, record->site);
    if (!cut_before || !same_thread || name != 0)
        add_new_access(survey, record, size, name);
}

static const ser_memory_object *find_lock(ser_record_survey *survey, uint64_t address,
                                          uint64_t *offset)
{
    ser_stretch part = ser_objects_find(&survey->objects, address, 1);
    const ser_memory_object *object = ser_objects_at(&survey->objects, part.slot);
    *offset = address - object->base;
    return object;
}

static void add_lock_event(ser_record_survey *survey, const ser_record *record)
{
    uint64_t offset;
    const ser_memory_object *object = find_lock(survey, record->object, &offset);
    ser_handovers_add(&survey->handovers, object, offset, record);
    ser_word_locks_go_on(&survey->words, record->thread);
    ser_unseen_lock(&survey->unseen, object, offset, record);
}

static void add_thread_event(ser_record_survey *survey, const ser_record *record)
{
    ser_unseen_count(&survey->unseen, (ser_op)record->op);
    ser_word_locks_go_on(&survey->words, record->thread);
}

static void meet(ser_record_survey *survey, const ser_record *record)
{
    uint64_t offset;
    const ser_memory_object *object = find_lock(survey, record->object, &offset);
    ser_unseen_meet(&survey->unseen, object, offset, record->thread);
}

static void renew(ser_record_survey *survey, const ser_record *record)
{
    uint64_t offset;
    if (record->size) {
        const ser_memory_object *object = find_lock(survey, record->object, &offset);
        ser_handovers_renew(&survey->handovers, object, offset);
    }
    cut(survey, record->object,
        ser_record_access_end(record->object, ser_record_range_size(record)), record->thread);
}

static inline void add_record(ser_record_survey *survey, const ser_record *record)
{
    if (record->op < SER_OP_COUNT) {
        if (ser_op_is_access((ser_op)record->op))
            add_access(survey, record);
        else if (ser_op_space((ser_op)record->op) == SER_SPACE_LOCK)
            add_lock_event(survey, record);
        else if (ser_op_space((ser_op)record->op) == SER_SPACE_THREAD)
            add_thread_event(survey, record);
        survey->events++;
        return;
    }
    switch (record->op) {
    case SER_RAW_RANGE_READ:
    case SER_RAW_RANGE_WRITE:
        cut(survey, record->object,
            ser_record_access_end(record->object, ser_record_range_size(record)), record->thread);
        survey->events++;
        return;
    case SER_RAW_PAIR_WRITE:
    case SER_RAW_PAIR_UPDATE:
        cut(survey, record->object, ser_record_access_end(record->object, sizeof(uint64_t)),
            record->thread);
        cut(survey, record->value, ser_record_access_end(record->value, sizeof(uint64_t)),
            record->thread);
        survey->events++;
        return;
    case SER_RAW_RANGE_FREE:
        free_range(survey, record);
        survey->events++;
        return;
    case SER_RAW_STREAM:
        ser_message_streams_survey(&survey->streams, record);
        survey->events++;
        return;
    case SER_RAW_MEETS:
        meet(survey, record);
        survey->events++;
        return;
    case SER_RAW_RENEW:
        renew(survey, record);
        return;
    case SER_RAW_AFTER:
        *ser_vector_slot(&survey->late, record->thread) = record->object != record->thread;
        return;
    case SER_RAW_DEADLOCK:
        survey->deadlock = true;
        return;
    case SER_RAW_THREAD_LIMIT:
        survey->thread_limit = record->value;
        return;
    default:
        ser_objects_apply(&survey->objects, record);
    }
}

void ser_record_survey_add(ser_record_survey *survey, const ser_record *records, size_t count)
{
    enum { AHEAD = 8 };
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            ser_recall_fetch(&survey->recall, records[i + AHEAD].object);
        if (!ser_definitions_take(&survey->definitions, &records[i]))
            add_record(survey, &records[i]);
    }
}

void ser_record_survey_finish(ser_record_survey *survey)
{
    ser_word_locks_finish(&survey->words);
}
