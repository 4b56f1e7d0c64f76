/* SPDX-License-Identifier: MIT */
/*
 * ser_event_maker_add is the loop. Accesses, most of all records, become events in accesses.h,
 * calls in elisions.h; all other records have one event or none.
 */
#include "record/events/events.h"

#include "contract/abi.h"
#include "record/events/accesses.h"
#include "record/events/elisions.h"
#include "record/events/locking.h"
#include "record/events/trouble.h"
#include "trace/native/native_format.h"

void ser_event_maker_init(ser_event_maker *maker)
{
    ser_objects_init(&maker->objects);
    maker->elided = ser_alloc(SER_EVENTS_THREADS, sizeof *maker->elided);
}

void ser_event_maker_fini(ser_event_maker *maker)
{
    ser_objects_fini(&maker->objects);
    ser_pairmap_fini(&maker->sync);
    ser_pairmap_fini(&maker->lost);
    for (size_t i = 0; maker->shared && i < SER_EVENTS_THREADS; i++)
        ser_vector_free(&maker->elided[i].calls);
    free(maker->elided);
    ser_vector_free(&maker->inputs);
    ser_vector_free(&maker->guards);
    ser_vector_free(&maker->operands);
}

/* In maker->recall, a lock is an access of a size that no access has. */
enum { SYNC_SIZE = 100 };

uint32_t ser_event_maker_sync(ser_event_maker *maker, ser_space space, uint64_t address,
                              uint32_t site)
{
    uint8_t size = (uint8_t)(SYNC_SIZE + space);
    const ser_recalled *known = ser_recall_entry(&maker->recall, address);
    if (ser_recall_holds(known, &maker->objects, address, size))
        return known->word;
    ser_stretch part = ser_objects_find(&maker->objects, address, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
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

/* Do threads wait for each other in a library, in ways that nobody sees? */
static bool is_chain(ser_event_maker *maker, const ser_record *record)
{
    const ser_unseen *unseen = &maker->survey->unseen;
    if (!unseen->is_any_met)
        return false;
    ser_stretch part = ser_objects_find(&maker->objects, record->object, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
    return ser_unseen_is_chain(unseen, object, record->object - object->base);
}

static bool is_handed_over(ser_event_maker *maker, const ser_record *record)
{
    const ser_handovers *handovers = &maker->survey->handovers;
    if (ser_op_space((ser_op)record->op) != SER_SPACE_LOCK)
        return false;
    if (handovers->count == 0)
        return is_chain(maker, record);
    ser_stretch part = ser_objects_find(&maker->objects, record->object, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
    return ser_handovers_has(handovers, object, record->object - object->base) ||
           is_chain(maker, record);
}

/* One operation, two events: it follows the last one on its lock, and comes before the next. */
static void add_handover(ser_event_maker *maker, const ser_record *record)
{
    uint32_t chain = ser_event_maker_sync(maker, SER_SPACE_SEMAPHORE, record->object, record->site);
    ser_elisions_write(maker, record->thread);
    ser_event *event = ser_batch_push(maker, record, SER_OP_TAKE, chain);
    event->flow = SER_FLOW_CHAIN;
    ser_elisions_count(maker, record->thread, event);
    event = ser_batch_push(maker, record, SER_OP_POST, chain);
    event->flow = SER_FLOW_CHAIN;
    event->flags = SER_EVENT_CONTINUES;
}

static void add_event(ser_event_maker *maker, const ser_record *record)
{
    if (is_handed_over(maker, record)) {
        add_handover(maker, record);
        return;
    }
    ser_elisions_write(maker, record->thread);
    ser_event *event = ser_batch_push(maker, record, (ser_op)record->op, operand_of(maker, record));
    ser_elisions_count(maker, record->thread, event);
    if (!ser_op_has((ser_op)record->op, SER_ACQUIRES | SER_RELEASES))
        return;
    if (record->value == SER_ABI_ONCE)
        event->flow = SER_FLOW_ONCE;
    else if (record->value == SER_ABI_ONCE_RUNS)
        event->flow = SER_FLOW_ONCE | SER_FLOW_RAN;
}

static void add_meeting(ser_event_maker *maker, const ser_record *record)
{
    if (is_chain(maker, record))
        add_handover(maker, record);
    else
        ser_elisions_add(maker, record->thread, 1);
}

static void add_other(ser_event_maker *maker, const ser_record *record)
{
    ser_memory_object *object = ser_objects_apply(&maker->objects, record);
    if (object)
        ser_labels_begin(maker->labels, object);
    else
        ser_trouble_add(maker, record);
}

static void write_inputs(ser_event_maker *maker)
{
    ser_batch_write(maker); /* no other call of the writer is allowed while we fill its buffer */
    if (maker->status == SER_OK && maker->inputs.count > 0)
        maker->status =
            ser_writer_put_aside(maker->writer, SER_NATIVE_INPUTS, maker->inputs.items,
                                 maker->inputs.count * sizeof(ser_record), maker->error);
    maker->inputs.count = 0;
    ser_batch_open(maker);
}

static void add_input(ser_event_maker *maker, const ser_record *record)
{
    enum { MOST_INPUTS = 1 << 16 };
    ser_vector_push(&maker->inputs, *record);
    if (maker->inputs.count == MOST_INPUTS)
        write_inputs(maker);
}

static void add_operation(ser_event_maker *maker, const ser_record *record)
{
    ser_op op = (ser_op)record->op;
    if (ser_op_is_access(op))
        ser_accesses_add(maker, record);
    else if (ser_op_space(op) == SER_SPACE_CONDITION && ser_locking_add(maker, record))
        return;
    else if (!ser_op_takes_part(op))
        ser_elisions_add(maker, record->thread, record->value);
    else if (ser_op_space(op) == SER_SPACE_FUNCTION)
        ser_elisions_add_call(maker, record);
    else
        add_event(maker, record);
}

/* It orders nothing; only its position among the thread's events matters. */
static void add_outside(ser_event_maker *maker, const ser_record *record)
{
    static const uint16_t flows[] = {[SER_ABI_RUNS] = SER_FLOW_RAN,
                                     [SER_ABI_LEAVES] = SER_FLOW_LEAVES,
                                     [SER_ABI_RETURNS] = SER_FLOW_RETURNS};
    bool known = record->value < sizeof flows / sizeof *flows;
    ser_batch_push(maker, record, SER_OP_SKIP, SER_NO_OBJECT)->flow =
        flows[known ? record->value : SER_ABI_LEAVES];
}

/* Those of one access come one after the other, and again for the next one if it was elided: the
 * last ones count. */
static void add_operand(ser_event_maker *maker, const ser_record *record)
{
    ser_recorded_operands *of = ser_vector_slot(&maker->operands, record->thread);
    maker->with_operands += of->count == 0;
    if (of->site != record->object)
        of->count = 0;
    if (of->count == SER_RECORDED_OPERANDS)
        memmove(of->values, of->values + 1, --of->count * sizeof *of->values);
    of->site = record->object;
    of->values[of->count++] = record->value;
}

/* They are of the thread's next access only. */
static void forget_operands(ser_event_maker *maker, const ser_record *record)
{
    if (record->thread >= maker->operands.count || record->op == SER_RAW_OPERAND ||
        record->op == SER_RAW_HELD || record->op == SER_OP_SKIP)
        return;
    ser_recorded_operands *of = &maker->operands.items[record->thread];
    maker->with_operands -= of->count > 0;
    of->count = 0;
}

static void add_record(ser_event_maker *maker, const ser_record *record)
{
    if (record->op < SER_OP_COUNT) {
        add_operation(maker, record);
        return;
    }
    switch (record->op) {
    case SER_RAW_RANGE_READ:
    case SER_RAW_RANGE_WRITE:
    case SER_RAW_RANGE_FREE:
        ser_accesses_add_range(maker, record);
        return;
    case SER_RAW_PAIR_WRITE:
    case SER_RAW_PAIR_UPDATE:
        ser_accesses_add_pair(maker, record);
        return;
    case SER_RAW_RENEW:
        ser_accesses_renew(maker, record);
        return;
    case SER_RAW_STREAM:
        ser_message_streams_add(maker, record);
        return;
    case SER_RAW_MEETS:
        add_meeting(maker, record);
        return;
    case SER_RAW_UNSENT:
        ser_message_streams_take_back(maker, record);
        return;
    case SER_RAW_OUTSIDE:
        add_outside(maker, record);
        return;
    case SER_RAW_AFTER:
        ser_elisions_add_order(maker, record);
        return;
    case SER_RAW_INPUT:
    case SER_RAW_INPUT_BYTES:
        add_input(maker, record);
        return;
    case SER_RAW_OPERAND:
        add_operand(maker, record);
        return;
    case SER_RAW_HELD:
        maker->held = (ser_held_value){record->object, record->value, record->thread};
        return;
    case SER_RAW_CHUNK:
        return; /* after an access that needs none */
    default:
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
            ser_accesses_end(maker, is_rest ? record->value : 0);
        if (is_rest || ser_definitions_pass(&maker->text_left, record))
            continue;
        add_record(maker, record);
        if (maker->with_operands > 0)
            forget_operands(maker, record);
        if (record->op != SER_RAW_HELD && record->thread == maker->held.thread)
            maker->held.address = 0;
    }
}

void ser_event_maker_end(ser_event_maker *maker)
{
    if (maker->has_wide)
        ser_accesses_end(maker, 0);
    write_inputs(maker);
}
