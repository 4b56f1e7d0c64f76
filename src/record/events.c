/* SPDX-License-Identifier: MIT */
/*
 * ser_event_maker_add is the loop. Accesses, most of all records, are cut into
 * cells here; what else there is has one event or none.
 */
#include "record/events.h"

#include "record/trouble.h"
#include "trace/native_format.h"

void ser_event_maker_init(ser_event_maker *maker)
{
    ser_objects_init(&maker->objects);
}

void ser_event_maker_fini(ser_event_maker *maker)
{
    ser_objects_fini(&maker->objects);
    ser_pairmap_fini(&maker->sync);
    ser_pairmap_fini(&maker->lost);
    for (size_t i = 0; i < maker->left_out.count; i++)
        ser_vector_free(&maker->left_out.items[i].calls);
    ser_vector_free(&maker->left_out);
    ser_vector_free(&maker->inputs);
}

static void write_batch(ser_event_maker *maker)
{
    ser_labels_settle(maker->labels);
    if (maker->status == SER_OK)
        maker->status = ser_writer_put(maker->writer, maker->batch, maker->count, maker->error);
    if (!maker->verifier) /* which tells at the end what the first wrong read was of */
        ser_symbols_forget(maker->symbols, SER_SPACE_VARIABLE,
                           ser_writer_names(maker->writer, SER_SPACE_VARIABLE));
    maker->result->events += maker->count;
    maker->count = 0;
}

/* What `known` has at a number. */
static inline uint32_t look_up(const ser_label_numbers *known, uint64_t number)
{
    return number < known->count ? known->items[number] : 0;
}

static inline uint32_t thread_of(ser_event_maker *maker, uint16_t thread)
{
    uint32_t known = look_up(&maker->known->threads, thread);
    return known ? known - 1 : ser_labels_thread(maker->labels, thread);
}

static inline uint32_t site_of(ser_event_maker *maker, uint32_t site)
{
    uint32_t known = look_up(&maker->known->sites, site);
    return known ? known - 1 : ser_labels_site(maker->labels, site);
}

static inline uint32_t function_of(ser_event_maker *maker, uint64_t site)
{
    uint32_t known = look_up(&maker->known->functions, site);
    return known ? known - 1 : ser_labels_function(maker->labels, site);
}

/* The event is valid until the next one. It is filled where it stands, word by word: to copy
 * what has just been written in smaller pieces would mean to wait for it. */
static inline ser_event *push(ser_event_maker *maker, const ser_record *record, ser_op op,
                              uint32_t object)
{
    if (maker->count == SER_EVENTS_BATCH)
        write_batch(maker);
    ser_event *event = &maker->batch[maker->count++];
    event->thread = thread_of(maker, record->thread);
    event->object = object;
    event->site = site_of(maker, record->site);
    event->op = (uint8_t)op;
    event->flags = 0;
    event->reserved = 0;
    event->value = 0;
    return event;
}

/* --- what is left out ------------------------------------------------------ */

static void leave_out(ser_event_maker *maker, uint16_t thread, uint64_t operations)
{
    ser_left_out *left_out = ser_vector_slot(&maker->left_out, thread);
    uint64_t known = operations < left_out->ahead ? operations : left_out->ahead;
    left_out->ahead -= known;
    left_out->operations += operations - known;
}

/* Replays count operations, also those that are not in the trace. */
static void push_count(ser_event_maker *maker, uint16_t thread, uint64_t operations)
{
    const ser_record record = {.thread = thread};
    if (operations == 0)
        return;
    ser_event *event = push(maker, &record, SER_OP_SKIP, SER_NO_OBJECT);
    event->flags = SER_EVENT_HAS_VALUE;
    event->value = operations;
    maker->left_out.items[thread].made += operations;
}

/* The first event of an operation. */
static inline void count_operation(ser_event_maker *maker, uint16_t thread, ser_event *event)
{
    ser_left_out *left_out = ser_vector_slot(&maker->left_out, thread);
    if (left_out->ahead > 0) { /* it was counted by a skip event */
        left_out->ahead--;
        event->flags |= SER_EVENT_CONTINUES;
    } else {
        left_out->made++;
    }
}

/* A call that tells no place of its own is at its function. */
static void push_call(ser_event_maker *maker, const ser_record *record)
{
    uint32_t function = function_of(maker, record->object);
    ser_event *event = push(maker, record, (ser_op)record->op, function);
    count_operation(maker, record->thread, event);
    if (record->site == 0)
        event->site = site_of(maker, (uint32_t)record->object);
}

static void tell_what_was_left_out(ser_event_maker *maker, uint16_t thread)
{
    ser_left_out *left_out = &maker->left_out.items[thread];
    for (size_t i = 0; i < left_out->calls.count; i++) {
        push_count(maker, thread, left_out->calls.items[i].before);
        push_call(maker, &left_out->calls.items[i].record);
    }
    push_count(maker, thread, left_out->operations);
    left_out->calls.count = 0;
    left_out->operations = 0;
}

/* Before an event of the thread: the calls it is in that were held back, and how much was
 * left out. Mostly nothing. */
static inline void catch_up(ser_event_maker *maker, uint16_t thread)
{
    if (thread < maker->left_out.count && (maker->left_out.items[thread].operations > 0 ||
                                           maker->left_out.items[thread].calls.count > 0))
        tell_what_was_left_out(maker, thread);
}

/* A call is held back until something happens in it, or it returns. */
static void hold_call(ser_left_out *left_out, const ser_record *record)
{
    ser_held_call held = {*record, left_out->operations};
    ser_vector_push(&left_out->calls, held);
    left_out->operations = 0;
}

static void drop_call(ser_left_out *left_out)
{
    enum { CALL_AND_RETURN = 2 };
    left_out->operations += left_out->calls.items[--left_out->calls.count].before + CALL_AND_RETURN;
}

static void add_call(ser_event_maker *maker, const ser_record *record)
{
    ser_left_out *left_out = ser_vector_slot(&maker->left_out, record->thread);
    if (maker->shared && record->op == SER_OP_CALL && left_out->ahead == 0) {
        hold_call(left_out, record);
    } else if (record->op == SER_OP_RETURN && left_out->calls.count > 0) {
        drop_call(left_out);
    } else {
        catch_up(maker, record->thread);
        push_call(maker, record);
    }
}

/* Something in the trace that stands for what a thread did and was left out. */
static void push_anchor(ser_event_maker *maker, uint16_t thread)
{
    const ser_record record = {.thread = thread};
    uint32_t *anchor = &maker->left_out.items[thread].anchor;
    if (*anchor == 0)
        *anchor = 1 + ser_labels_anchor(maker->labels, thread);
    push(maker, &record, SER_OP_READ, *anchor - 1)->flags = SER_EVENT_CONTINUES;
}

/* The next access of a thread must come after so many operations of another, which may have
 * told of fewer so far. */
static void add_order(ser_event_maker *maker, const ser_record *record)
{
    uint16_t other = (uint16_t)record->object;
    ser_vector_slot(&maker->left_out, record->thread)->late = other != record->thread;
    ser_left_out *left_out = ser_vector_slot(&maker->left_out, other);
    if (left_out->made >= record->value)
        return;
    catch_up(maker, other);
    uint64_t missing = record->value > left_out->made ? record->value - left_out->made : 0;
    push_count(maker, other, missing);
    left_out->ahead += missing;
    push_anchor(maker, other);
}

/* --- cells ---------------------------------------------------------------- */

/* Neighbouring cells that an access has of an object. */
typedef struct cell_row {
    ser_object *object;
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
    const uint64_t *value; /* 16 bytes, low ones first; NULL: not known */
    bool begun;            /* some of them have events */
    bool goes_on;          /* with what an earlier record of the same call began */
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

static bool is_late(const ser_event_maker *maker, uint16_t thread)
{
    return thread < maker->left_out.count && maker->left_out.items[thread].late;
}

/* Every access of a cell has all its bytes, so that any of them tells. */
static bool is_wanted(const ser_event_maker *maker, uint16_t thread, const ser_object *object,
                      uint64_t at, uint64_t next)
{
    return !maker->shared ||
           ser_sharing_is_shared(maker->survey->sharing, object, at + (next - at) / 2) ||
           is_late(maker, thread);
}

/* All events of a step must be in one batch, as the last loses its mark. */
static void begin_access(ser_event_maker *maker, access_bytes *access)
{
    enum { MOST_CELLS = 16 };
    access->begun = true;
    catch_up(maker, access->record->thread);
    if (maker->count + MOST_CELLS > SER_EVENTS_BATCH)
        write_batch(maker);
}

/* The first event of an access, which may go on with what an earlier one began. */
static inline void note_first(ser_event_maker *maker, uint16_t thread, bool goes_on,
                              ser_event *event)
{
    if (!goes_on)
        count_operation(maker, thread, event);
    if (is_late(maker, thread)) {
        event->flags |= SER_EVENT_LATE;
        maker->left_out.items[thread].late = false;
        maker->late++;
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
        begin_access(maker, access);
    ser_event *event =
        push(maker, access->record, access->op, variable_of(maker, row, cell, naming_site));
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
    ser_event sample = *push(maker, access->record, access->op, variable);
    sample.flags = maker->batch[maker->count - 1].flags = SER_EVENT_CONTINUES;
    for (size_t cell = first + 1; cell < row->cells.count; cell++) {
        variable = variable_of(maker, row, cell, 0);
        if (maker->count == SER_EVENTS_BATCH)
            write_batch(maker);
        maker->batch[maker->count] = sample;
        maker->batch[maker->count++].object = variable;
    }
}

/* The events of a row; the last one, or what was the last before. */
static ser_event *push_row(ser_event_maker *maker, access_bytes *access, cell_row *row,
                           uint8_t join, ser_event *last)
{
    bool alike = !join && !maker->shared && !maker->verifier;
    for (size_t i = 0; i < row->cells.count; i++) {
        if (alike && access->begun) {
            push_rest_of_range(maker, access, row, i);
            break;
        }
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
    ser_check(found); /* both looks see the same accesses */
}

static ser_event *push_part(ser_event_maker *maker, access_bytes *access, ser_stretch part,
                            uint8_t join, ser_event *last)
{
    cell_row row;
    row.object = ser_objects_at(&maker->objects, part.slot);
    uint64_t at = part.start - row.object->base, end = part.end - row.object->base;
    for (; at < end; at = row.cells.starts[row.cells.count]) {
        find_row(maker, &row, at, end);
        last = push_row(maker, access, &row, join, last);
    }
    return last;
}

static void push_access(ser_event_maker *maker, access_bytes *access, uint8_t join)
{
    ser_event *last = NULL;
    for (uint64_t at = access->address; at < access->end;) {
        ser_stretch part = ser_objects_find(&maker->objects, at, access->end - at);
        last = push_part(maker, access, part, join, last);
        at = part.end;
    }
    if (last && join)
        last->flags &= (uint8_t)~SER_EVENT_JOINED;
    if (!access->begun && !access->goes_on)
        leave_out(maker, access->record->thread, 1);
}

static inline void push_known(ser_event_maker *maker, const ser_record *record, uint32_t variable,
                              uint64_t value)
{
    if (variable == SER_NO_OBJECT) {
        leave_out(maker, record->thread, 1);
        return;
    }
    catch_up(maker, record->thread);
    ser_event *event = push(maker, record, (ser_op)record->op, variable);
    set_value(maker, event, value);
    note_first(maker, record->thread, false, event);
}

/* The one cell that an access of [address, end) has, if it has no more: its variable, which is
 * remembered, or SER_NO_OBJECT if it is left out. */
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
    if (!is_late(maker, record->thread)) /* what is left out is wanted then, but only once */
        known = ser_recall_keep(&maker->recall, &maker->objects, part.slot, record->object, size);
    if (known)
        known->word = *variable;
    return true;
}

static void push_unknown(ser_event_maker *maker, const ser_record *record, uint64_t rest,
                         uint8_t size)
{
    uint64_t value[] = {record->value, rest};
    uint64_t end = size > UINT64_MAX - record->object ? UINT64_MAX : record->object + size;
    access_bytes access = {record, (ser_op)record->op, record->object, end, value, false, false};
    uint32_t variable;
    if (size > 0 && end - record->object == size && find_cell(maker, record, size, &variable))
        push_known(maker, record, variable, low_bytes(record->value, size));
    else
        push_access(maker, &access, SER_EVENT_JOINED);
}

static inline void push_bytes(ser_event_maker *maker, const ser_record *record, uint64_t rest)
{
    uint8_t size = ser_access_size(record);
    const ser_recalled *known = ser_recall_entry(&maker->recall, record->object);
    if (ser_recall_holds(known, &maker->objects, record->object, size) &&
        (known->word != SER_NO_OBJECT || !is_late(maker, record->thread)))
        push_known(maker, record, known->word, low_bytes(record->value, size));
    else
        push_unknown(maker, record, rest, size);
}

static void push_range(ser_event_maker *maker, const ser_record *record)
{
    ser_op op = record->op == SER_RAW_RANGE_READ ? SER_OP_READ : SER_OP_WRITE;
    uint64_t size = ser_range_size(record);
    uint64_t end = size > UINT64_MAX - record->object ? UINT64_MAX : record->object + size;
    access_bytes access = {record, op, record->object, end, NULL, false, record->size != 0};
    push_access(maker, &access, 0);
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

static void renew(ser_event_maker *maker, const ser_record *record)
{
    uint64_t at = record->object, end = at + ser_range_size(record);
    ser_recall_forget(&maker->recall, at, end);
    while (at < end) {
        ser_stretch part = ser_objects_find(&maker->objects, at, end - at);
        renew_part(maker, part);
        at = part.end;
    }
}

/* The second half of a value of up to 16 bytes comes in the record after. */
static void end_wide(ser_event_maker *maker, uint64_t rest)
{
    maker->has_wide = false;
    push_bytes(maker, &maker->wide, rest);
}

static void add_access(ser_event_maker *maker, const ser_record *record)
{
    if (record->size > 8) {
        maker->wide = *record;
        maker->has_wide = true;
    } else {
        push_bytes(maker, record, 0);
    }
}

/* --- other events --------------------------------------------------------- */

/* In the memory of accesses, a lock is an access of a size that none has. */
enum { SYNC_SIZE = 100 };

uint32_t ser_event_maker_sync(ser_event_maker *maker, ser_space space, uint64_t address,
                              uint32_t site)
{
    uint8_t size = (uint8_t)(SYNC_SIZE + space);
    const ser_recalled *known = ser_recall_entry(&maker->recall, address);
    if (ser_recall_holds(known, &maker->objects, address, size))
        return known->word;
    ser_stretch part = ser_objects_find(&maker->objects, address, 1);
    const ser_object *object = ser_objects_at(&maker->objects, part.slot);
    uint64_t offset = address - object->base;
    uint32_t *number = ser_pairmap_add(&maker->sync, (uint64_t)space << 32 | object->id, offset, 0);
    if (*number == 0)
        *number = 1 + ser_labels_memory(maker->labels, space, object, offset, site);
    ser_recalled *kept = ser_recall_keep(&maker->recall, &maker->objects, part.slot, address, size);
    if (kept)
        kept->word = *number - 1;
    return *number - 1;
}

static uint32_t operand_of(ser_event_maker *maker, const ser_record *record)
{
    ser_space space = ser_op_space((ser_op)record->op);
    switch (space) {
    case SER_SPACE_THREAD:
        return ser_labels_thread(maker->labels, (uint16_t)record->object);
    case SER_SPACE_LABEL:
        return ser_labels_block(maker->labels, record->object);
    default:
        return ser_event_maker_sync(maker, space, record->object, record->site);
    }
}

static void add_event(ser_event_maker *maker, const ser_record *record)
{
    catch_up(maker, record->thread);
    ser_event *event = push(maker, record, (ser_op)record->op, operand_of(maker, record));
    count_operation(maker, record->thread, event);
}

static void add_other(ser_event_maker *maker, const ser_record *record)
{
    ser_object *object = ser_objects_apply(&maker->objects, record);
    if (object)
        ser_labels_begin(maker->labels, object);
    else
        ser_trouble_add(maker, record);
}

static void write_inputs(ser_event_maker *maker)
{
    if (maker->status == SER_OK && maker->inputs.count > 0)
        maker->status =
            ser_writer_put_aside(maker->writer, SER_NATIVE_INPUTS, maker->inputs.items,
                                 maker->inputs.count * sizeof(ser_record), maker->error);
    maker->inputs.count = 0;
}

static void add_input(ser_event_maker *maker, const ser_record *record)
{
    enum { MOST_INPUTS = 1 << 16 };
    ser_vector_push(&maker->inputs, *record);
    if (maker->inputs.count == MOST_INPUTS)
        write_inputs(maker);
}

static void add_record(ser_event_maker *maker, const ser_record *record)
{
    switch (record->op) {
    case SER_OP_SKIP:
        leave_out(maker, record->thread, record->value);
        return;
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        add_access(maker, record);
        return;
    case SER_RAW_RANGE_READ:
    case SER_RAW_RANGE_WRITE:
        push_range(maker, record);
        return;
    case SER_RAW_RENEW:
        renew(maker, record);
        return;
    case SER_RAW_AFTER:
        add_order(maker, record);
        return;
    case SER_RAW_INPUT:
    case SER_RAW_INPUT_BYTES:
        add_input(maker, record);
        return;
    case SER_RAW_CHUNK:
        return; /* after an access that needs none */
    case SER_OP_CALL:
    case SER_OP_RETURN:
        add_call(maker, record);
        return;
    default:
        if (record->op < SER_OP_COUNT)
            add_event(maker, record);
        else
            add_other(maker, record);
    }
}

void ser_event_maker_add(ser_event_maker *maker, const ser_record *records, size_t count)
{
    enum { AHEAD = 8 };
    for (size_t i = 0; i < count; i++) {
        const ser_record *record = &records[i];
        if (i + AHEAD < count)
            ser_recall_fetch(&maker->recall, records[i + AHEAD].object);
        bool is_rest = maker->has_wide && record->op == SER_RAW_CHUNK;
        if (maker->has_wide)
            end_wide(maker, is_rest ? record->value : 0);
        if (!is_rest && !ser_definitions_pass(&maker->text_left, record))
            add_record(maker, record);
    }
}

void ser_event_maker_end(ser_event_maker *maker)
{
    if (maker->has_wide)
        end_wide(maker, 0);
    write_batch(maker);
    write_inputs(maker);
}
