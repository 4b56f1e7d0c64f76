/* SPDX-License-Identifier: MIT */
#include "record/events/accesses.h"

#include "record/events/code_facts.h"
#include "record/events/elisions.h"
#include "record/events/locking.h"

/* Neighbouring cells that an access has of an object. */
typedef struct cell_row {
    ser_memory_object *object;
    ser_cells cells;
} cell_row;

static inline uint32_t variable_of(ser_event_maker *maker, cell_row *row, size_t cell,
                                   uint32_t naming_site)
{
    uint32_t *variable = &row->cells.variables[cell];
    if (*variable == 0)
        *variable = 1 + ser_labels_memory(maker->labels, SER_SPACE_VARIABLE, row->object,
                                          row->cells.starts[cell], naming_site);
    return *variable - 1;
}

/* What an access does, and its bytes. */
typedef struct access_bytes {
    const ser_record *record;
    ser_op op;
    uint64_t address, end;
    const uint64_t *value;          /* 16 bytes, low ones first; NULL: not known */
    const ser_memory_object *first; /* that has some of them; NULL: not looked at */
    bool begun;                     /* some of them have events */
    bool goes_on;                   /* part of the same call as an earlier record */
    bool frees;                     /* only cells that have events are meant */
} access_bytes;

static inline uint64_t low_bytes(uint64_t word, uint64_t size)
{
    return size < 8 ? word & ((UINT64_C(1) << 8 * size) - 1) : word;
}

/* Bytes of a value from byte `from` on, at most eight. */
static uint64_t part_of(const uint64_t value[2], uint64_t from, uint64_t size)
{
    uint64_t shift = 8 * (from % 8), word = value[from / 8] >> shift;
    if (from < 8 && shift > 0)
        word |= value[1] << (64 - shift);
    return low_bytes(word, size);
}

static inline void set_value(ser_event_maker *maker, ser_event *event, uint64_t value)
{
    event->value = value;
    event->flags |= SER_EVENT_HAS_VALUE;
    if (maker->verifier)
        ser_verify(maker->verifier, event);
}

/* Every access of a cell has all its bytes, so that asking for one of them is enough. */
static bool is_wanted(const ser_event_maker *maker, uint16_t thread,
                      const ser_memory_object *object, uint64_t at, uint64_t next)
{
    return !maker->shared ||
           ser_sharing_is_shared(maker->survey->sharing, object, at + (next - at) / 2) ||
           ser_elisions_is_late(maker, thread);
}

/* The first event of an access, which may be part of the same operation as an earlier one. */
static inline void note_first(ser_event_maker *maker, uint16_t thread, bool goes_on,
                              ser_event *event)
{
    if (!goes_on)
        ser_elisions_count(maker, thread, event);
    if (ser_elisions_is_late(maker, thread)) {
        event->flags |= SER_EVENT_LATE;
        maker->elided[thread].late = false;
        maker->result->late++;
    }
}

static ser_event *push_cell(ser_event_maker *maker, access_bytes *access, cell_row *row,
                            size_t cell, uint8_t join)
{
    uint64_t at = row->cells.starts[cell], size = row->cells.starts[cell + 1] - at;
    bool first = !access->begun;
    uint8_t flags = join || (first && !access->goes_on) ? join : SER_EVENT_CONTINUES;
    uint64_t from = at + row->object->base - access->address;
    uint32_t naming_site = from == 0 && join ? access->record->site : 0;
    if (first)
        ser_elisions_write(maker, access->record->thread);
    access->begun = true;
    ser_event *event = ser_batch_push(maker, access->record, access->op,
                                      variable_of(maker, row, cell, naming_site));
    event->flow = ser_code_facts(maker, access->record, access->op, false);
    if (access->value)
        set_value(maker, event, part_of(access->value, from, size));
    else if (maker->verifier)
        ser_verify(maker->verifier, event);
    event->flags |= flags;
    if (first)
        note_first(maker, access->record->thread, access->goes_on, event);
    return event;
}

/* Cells of a range from `first` on, none of which is the first of its call: their events differ
 * in nothing but the variable. */
static void push_rest_of_range(ser_event_maker *maker, const access_bytes *access, cell_row *row,
                               size_t first)
{
    uint32_t variable = variable_of(maker, row, first, 0);
    ser_event *event = ser_batch_push(maker, access->record, access->op, variable);
    event->flags = SER_EVENT_CONTINUES;
    event->flow = ser_code_facts(maker, access->record, access->op, false);
    ser_event sample = *event;
    for (size_t cell = first + 1; cell < row->cells.count; cell++) {
        variable = variable_of(maker, row, cell, 0);
        if (maker->next == maker->end)
            ser_batch_write(maker);
        *maker->next = sample;
        maker->next++->object = variable;
    }
}

/* Freeing an object conflicts with every access of it. But if no other thread ever accessed it, one
 * of its cells stands for all; and cells without events conflict with nothing, unless they are used
 * after the free. */
static bool is_freed(const ser_event_maker *maker, const access_bytes *access, const cell_row *row,
                     size_t cell)
{
    const ser_object_users *users = &maker->survey->users;
    return (row->cells.variables[cell] != 0 ||
            ser_object_users_come_after_free(users, row->object->id)) &&
           ((!access->begun && !access->goes_on) ||
            ser_object_users_are_many(users, row->object->id));
}

/* The events of a row; the last one, or what was the last before, which is still to be changed:
 * nothing was pushed after it. */
static ser_event *push_row(ser_event_maker *maker, access_bytes *access, cell_row *row,
                           uint8_t join, ser_event *last)
{
    bool alike = !join && !maker->shared && !maker->verifier && !access->frees;
    for (size_t i = 0; i < row->cells.count; i++) {
        if (alike && access->begun) {
            push_rest_of_range(maker, access, row, i);
            break;
        }
        if (access->frees && !is_freed(maker, access, row, i))
            continue;
        if (is_wanted(maker, access->record->thread, row->object, row->cells.starts[i],
                      row->cells.starts[i + 1]))
            last = push_cell(maker, access, row, i, join);
    }
    return last;
}

/* The first cells of [at, end) of the row's object. */
static void find_row(ser_event_maker *maker, cell_row *row, uint64_t at, uint64_t end)
{
    bool found = ser_cuts_cells(&maker->survey->cuts, row->object, at, end, &row->cells);
    ser_check(found); /* both passes see the same accesses */
}

static ser_event *push_part(ser_event_maker *maker, access_bytes *access, ser_stretch part,
                            uint8_t join, ser_event *last)
{
    cell_row row;
    row.object = ser_objects_at(&maker->objects, part.slot);
    uint64_t at = part.start - row.object->base, end = part.end - row.object->base;
    if (!access->first)
        access->first = row.object;
    if (access->frees && !ser_object_is_freed_with(row.object, access->first))
        return last;
    bool one_is_enough =
        access->frees && !ser_object_users_are_many(&maker->survey->users, row.object->id);
    for (; at < end && !(one_is_enough && access->begun); at = row.cells.starts[row.cells.count]) {
        find_row(maker, &row, at, end);
        last = push_row(maker, access, &row, join, last);
    }
    return last;
}

/* A block that is freed, and has no events: its first cell stands for it, so that the free is one.
 * Unless that came after accesses that are not in the trace, and conflicts with nothing in it. */
static void push_unused(ser_event_maker *maker, access_bytes *access)
{
    uint64_t size = access->end - access->address;
    ser_elisions *elided = &maker->elided[access->record->thread];
    ser_stretch part = ser_objects_find(&maker->objects, access->address, size);
    cell_row row;
    row.object = ser_objects_at(&maker->objects, part.slot);
    if (ser_object_can_be_freed(row.object) && !access->goes_on && !elided->late) {
        uint64_t at = part.start - row.object->base;
        find_row(maker, &row, at, part.end - row.object->base);
        if (is_wanted(maker, access->record->thread, row.object, at, row.cells.starts[1]))
            push_cell(maker, access, &row, 0, 0);
    }
    elided->late = false;
}

static ser_event *push_parts(ser_event_maker *maker, access_bytes *access, uint8_t join,
                             ser_event *last)
{
    for (uint64_t at = access->address; at < access->end;) {
        ser_stretch part = ser_objects_find(&maker->objects, at, access->end - at);
        last = push_part(maker, access, part, join, last);
        at = part.end;
    }
    return last;
}

static void push_access(ser_event_maker *maker, access_bytes *access, uint8_t join)
{
    ser_event *last = push_parts(maker, access, join, NULL);
    if (last && join)
        last->flags &= (uint8_t)~SER_EVENT_JOINED;
    if (!access->begun && access->frees && access->address < access->end)
        push_unused(maker, access);
    if (!access->begun && !access->goes_on)
        ser_elisions_add(maker, access->record->thread, 1);
}

/* The event; NULL if it is elided. */
static inline ser_event *push_known(ser_event_maker *maker, const ser_record *record,
                                    uint32_t variable, uint64_t value)
{
    if (variable == SER_NO_OBJECT) {
        ser_elisions_add(maker, record->thread, 1);
        return NULL;
    }
    ser_elisions_write(maker, record->thread);
    ser_event *event = ser_batch_push(maker, record, (ser_op)record->op, variable);
    event->flow = ser_code_facts(maker, record, (ser_op)record->op, true);
    set_value(maker, event, value);
    note_first(maker, record->thread, false, event);
    return event;
}

/* The one cell that an access of [address, end) has, if it has no more: its variable, which is
 * remembered, or SER_NO_OBJECT if it is elided. */
static bool find_cell(ser_event_maker *maker, const ser_record *record, uint8_t size,
                      uint32_t *variable)
{
    ser_stretch part = ser_objects_find(&maker->objects, record->object, size);
    cell_row row; /* large */
    row.object = ser_objects_at(&maker->objects, part.slot);
    uint64_t at = record->object - row.object->base;
    find_row(maker, &row, at, part.end - row.object->base);
    if (part.end - part.start < size || row.cells.starts[1] - at < size)
        return false;
    bool wanted = is_wanted(maker, record->thread, row.object, at, at + size);
    *variable = wanted ? variable_of(maker, &row, 0, record->site) : SER_NO_OBJECT;
    ser_recalled *known = NULL;
    if (!ser_elisions_is_late(
            maker, record->thread)) /* an elided variable is looked up then, but only once */
        known = ser_recall_keep(&maker->recall, &maker->objects, part.slot, record->object, size);
    if (known)
        known->word = *variable;
    return true;
}

/* A function of its own, so that the common case needs few registers. */
__attribute__((noinline)) static void push_unknown(ser_event_maker *maker, const ser_record *record,
                                                   uint64_t rest, uint8_t size)
{
    uint64_t value[] = {record->value, rest};
    uint64_t end = ser_record_access_end(record->object, size);
    access_bytes access = {.record = record,
                           .op = (ser_op)record->op,
                           .address = record->object,
                           .end = end,
                           .value = value};
    uint32_t variable, known = ser_symbols_count(maker->symbols, SER_SPACE_VARIABLE);
    if (size == 0 || end - record->object != size || !find_cell(maker, record, size, &variable)) {
        push_access(maker, &access, SER_EVENT_JOINED);
        return;
    }
    ser_event *event = push_known(maker, record, variable, low_bytes(record->value, size));
    if (event && variable == known)
        ser_code_facts_add_held(maker, record, event);
}

static inline void push_bytes(ser_event_maker *maker, const ser_record *record, uint64_t rest)
{
    uint8_t size = ser_access_size(record);
    const ser_recalled *known = ser_recall_entry(&maker->recall, record->object);
    if (ser_recall_holds(known, &maker->objects, record->object, size) &&
        (known->word != SER_NO_OBJECT || !ser_elisions_is_late(maker, record->thread)))
        push_known(maker, record, known->word, low_bytes(record->value, size));
    else
        push_unknown(maker, record, rest, size);
}

static ser_op range_op(const ser_record *record)
{
    switch (record->op) {
    case SER_RAW_RANGE_READ:
        return SER_OP_READ;
    case SER_RAW_RANGE_FREE:
        return SER_OP_FREE;
    default:
        return SER_OP_WRITE;
    }
}

void ser_accesses_add_range(ser_event_maker *maker, const ser_record *record)
{
    access_bytes access = {.record = record,
                           .op = range_op(record),
                           .address = record->object,
                           .end =
                               ser_record_access_end(record->object, ser_record_range_size(record)),
                           .goes_on = ser_record_continues(record),
                           .frees = record->op == SER_RAW_RANGE_FREE};
    push_access(maker, &access, record->size == SER_RANGE_AT_ONCE ? SER_EVENT_JOINED : 0);
}

void ser_accesses_add_pair(ser_event_maker *maker, const ser_record *record)
{
    access_bytes access = {.record = record,
                           .op = record->op == SER_RAW_PAIR_WRITE ? SER_OP_WRITE : SER_OP_RMW};
    const uint64_t words[] = {record->object, record->value};
    ser_event *last = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        access.address = words[i];
        access.end = ser_record_access_end(words[i], sizeof *words);
        last = push_parts(maker, &access, SER_EVENT_JOINED, last);
    }
    if (last)
        last->flags &= (uint8_t)~SER_EVENT_JOINED;
    else
        ser_elisions_add(maker, record->thread, 1);
}

/* The cells of a stretch get new variables when they are accessed next. */
static void renew_part(ser_event_maker *maker, ser_stretch part)
{
    cell_row row;
    row.object = ser_objects_at(&maker->objects, part.slot);
    uint64_t at = part.start - row.object->base, end = part.end - row.object->base;
    for (; at < end; at = row.cells.starts[row.cells.count]) {
        find_row(maker, &row, at, end);
        memset(row.cells.variables, 0, row.cells.count * sizeof *row.cells.variables);
    }
}

/* Locks and the like get new numbers. */
static void renew_sync(ser_event_maker *maker, uint64_t address)
{
    static const ser_space spaces[] = {SER_SPACE_LOCK, SER_SPACE_CONDITION, SER_SPACE_BARRIER,
                                       SER_SPACE_SEMAPHORE};
    ser_stretch part = ser_objects_find(&maker->objects, address, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        *ser_pairmap_add(&maker->sync, (uint64_t)spaces[i] << 32 | object->id,
                         address - object->base, 0) = 0;
}

void ser_accesses_renew(ser_event_maker *maker, const ser_record *record)
{
    uint64_t at = record->object, end = at + ser_record_range_size(record);
    ser_recall_forget(&maker->recall, at, end);
    if (record->size)
        renew_sync(maker, at);
    while (at < end) {
        ser_stretch part = ser_objects_find(&maker->objects, at, end - at);
        renew_part(maker, part);
        at = part.end;
    }
}

/* The second half of a value of up to 16 bytes comes in the record after. */
void ser_accesses_end(ser_event_maker *maker, uint64_t rest)
{
    maker->has_wide = false;
    push_bytes(maker, &maker->wide, rest);
}

void ser_accesses_add(ser_event_maker *maker, const ser_record *record)
{
    if (ser_locking_add(maker, record))
        return;
    if (record->size > 8) {
        maker->wide = *record;
        maker->has_wide = true;
    } else {
        push_bytes(maker, record, 0);
    }
}
