/* SPDX-License-Identifier: MIT */
#include "record/events/outside.h"

#include "record/events/batch.h"
#include "record/events/elisions.h"

void ser_outside_fini(ser_outside *outside)
{
    ser_vector_free(&outside->operations);
    ser_vector_free(&outside->posts);
    ser_vector_free(&outside->extra);
    ser_vector_free(&outside->semaphores);
    ser_vector_free(&outside->pending);
}

void ser_outside_survey(ser_outside *outside, uint32_t stream, const ser_record *record,
                        bool is_from_others)
{
    const ser_stream_operation operation = {stream, record->thread, record->size, is_from_others};
    ser_vector_push(&outside->operations, operation);
}

/* --- who comes after which send ------------------------------------------------ */

static bool sends(uint8_t use)
{
    return use == SER_STREAM_SENT || use == SER_STREAM_SENT_LATE || use == SER_STREAM_BEGINS;
}

/* What found nothing, or did not look, comes after nothing. */
static bool is_idle(uint8_t use)
{
    return use == SER_STREAM_EMPTY || use == SER_STREAM_WATCHED;
}

static bool is_outside(const ser_message_streams *streams, const ser_stream_operation *operation)
{
    return operation->is_from_others ||
           !ser_message_stream_is_inside(&streams->list.items[operation->stream]);
}

/* By the two threads: has the receiver a receive, later than what is looked at, that comes after a
 * send of the sender which was not met yet? Only threads that use such streams have a row. */
typedef struct needs {
    ser_pairmap row_of;             /* (thread, 0) to its row, plus one */
    SER_VECTOR(uint16_t) receivers; /* by row */
    SER_VECTOR(bool) needed;        /* by sender's row times `rows`, plus the receiver's */
    size_t rows;
} needs;

static void list_threads(needs *made, const ser_message_streams *streams)
{
    const ser_outside *outside = &streams->outside;
    for (size_t i = 0; i < outside->operations.count; i++) {
        const ser_stream_operation *operation = &outside->operations.items[i];
        if (!is_outside(streams, operation) || is_idle(operation->use))
            continue;
        uint32_t *row = ser_pairmap_add(&made->row_of, operation->thread, 0, 0);
        if (*row == 0) {
            ser_vector_push(&made->receivers, operation->thread);
            *row = (uint32_t)made->receivers.count;
        }
    }
    made->rows = made->receivers.count;
    for (size_t i = 0; i < made->rows * made->rows; i++)
        ser_vector_push(&made->needed, false);
}

static void look_back(needs *made, ser_outside *outside, uint32_t number,
                      const ser_stream_operation *operation)
{
    size_t own = *ser_pairmap_add(&made->row_of, operation->thread, 0, 0) - 1;
    for (size_t other = 0; other < made->rows; other++) {
        if (other == own)
            continue;
        if (!sends(operation->use)) {
            made->needed.items[other * made->rows + own] = true;
        } else if (made->needed.items[own * made->rows + other]) {
            made->needed.items[own * made->rows + other] = false;
            const ser_outside_post post = {number, made->receivers.items[other]};
            ser_vector_push(&outside->posts, post);
        }
    }
}

/* Which operations of streams inside also get something from others. */
static void list_extra(ser_outside *outside, const ser_message_streams *streams)
{
    for (size_t i = 0; i < outside->operations.count; i++) {
        const ser_stream_operation *operation = &outside->operations.items[i];
        if (ser_message_stream_is_inside(&streams->list.items[operation->stream]))
            ser_vector_push(&outside->extra, operation->is_from_others);
    }
}

/* From the last operation to the first. */
static void find_posts(ser_message_streams *streams)
{
    ser_outside *outside = &streams->outside;
    needs made = {0};
    uint32_t number = 0;
    list_threads(&made, streams);
    list_extra(outside, streams);
    for (size_t i = 0; i < outside->operations.count; i++)
        number += is_outside(streams, &outside->operations.items[i]);
    for (size_t i = outside->operations.count; i > 0; i--) {
        const ser_stream_operation *operation = &outside->operations.items[i - 1];
        if (!is_outside(streams, operation))
            continue;
        number--;
        if (!is_idle(operation->use))
            look_back(&made, outside, number, operation);
    }
    ser_pairmap_fini(&made.row_of);
    ser_vector_free(&made.receivers);
    ser_vector_free(&made.needed);
    ser_vector_free(&outside->operations);
}

/* --- second pass ---------------------------------------------------------------- */

static uint32_t semaphore_of(ser_event_maker *maker, uint16_t thread)
{
    ser_outside *outside = &maker->survey->streams.outside;
    uint32_t *known = ser_vector_slot(&outside->semaphores, thread);
    if (*known == 0)
        *known = 1 + ser_labels_stream(maker->labels, (uint64_t)SER_STREAM_OUTSIDE << 56,
                                       SER_STREAM_MESSAGES);
    return *known - 1;
}

/* One event of the operation, the first or a further one. */
static void add(ser_event_maker *maker, const ser_record *record, ser_op op, uint16_t thread,
                bool is_first)
{
    uint32_t object = semaphore_of(maker, thread);
    if (is_first)
        ser_elisions_write(maker, record->thread);
    ser_event *event = ser_batch_push(maker, record, op, object);
    if (is_first)
        ser_elisions_count(maker, record->thread, event);
    else
        event->flags = SER_EVENT_CONTINUES;
}

static void send(ser_event_maker *maker, const ser_record *record, uint32_t number)
{
    ser_outside *outside = &maker->survey->streams.outside;
    bool is_first = true;
    while (outside->posts.count > 0 &&
           outside->posts.items[outside->posts.count - 1].operation == number) {
        uint16_t to = outside->posts.items[--outside->posts.count].thread;
        add(maker, record, SER_OP_POST, to, is_first);
        ++*ser_vector_slot(&outside->pending, to);
        is_first = false;
    }
    if (is_first)
        ser_elisions_add(maker, record->thread, 1);
}

/* Also if nothing was sent before: the thread has waited. */
static void receive(ser_event_maker *maker, const ser_record *record, bool is_first)
{
    uint32_t *pending = ser_vector_slot(&maker->survey->streams.outside.pending, record->thread);
    add(maker, record, SER_OP_TAKE, record->thread, is_first);
    for (; *pending > 1; --*pending)
        add(maker, record, SER_OP_TAKE, record->thread, false);
    *pending = 0;
}

static ser_outside *look_at_all(ser_event_maker *maker)
{
    ser_outside *outside = &maker->survey->streams.outside;
    if (!outside->is_sorted)
        find_posts(&maker->survey->streams);
    outside->is_sorted = true;
    return outside;
}

void ser_outside_add(ser_event_maker *maker, const ser_record *record)
{
    uint32_t number = look_at_all(maker)->next++;
    if (sends(record->size))
        send(maker, record, number);
    else if (is_idle(record->size))
        ser_elisions_add(maker, record->thread, 1);
    else
        receive(maker, record, true);
}

void ser_outside_add_to(ser_event_maker *maker, const ser_record *record)
{
    ser_outside *outside = look_at_all(maker);
    uint32_t number = outside->next_inside++;
    if (number >= outside->extra.count || !outside->extra.items[number])
        return;
    outside->next++;
    receive(maker, record, false);
}
