/* SPDX-License-Identifier: MIT */
#include "stream/window_check.h"

#include <inttypes.h>

#include "witness/from_checkpoint.h"

typedef SER_VECTOR(ser_event) event_list;

/* Waits that are pending at the window's beginning come later, if the order has them. */
static bool comes_later(const ser_excerpt *excerpt, uint64_t number)
{
    for (size_t i = 0; i < excerpt->waits.count; i++)
        if (excerpt->waits.items[i].number == number)
            return true;
    return false;
}

/* What the ring holds before the window has happened as it was observed. */
static void put_observed(const ser_event_ring *ring, const ser_excerpt *excerpt,
                         ser_number_list *order)
{
    for (uint64_t i = ring->first; i < excerpt->first; i++)
        if (ser_op_takes_part((ser_op)ser_event_ring_at(ring, i)->event.op) &&
            !comes_later(excerpt, i))
            ser_vector_push(order, i);
}

static void put_later(const ser_event_ring *ring, const ser_excerpt *excerpt,
                      ser_number_list *later)
{
    for (size_t i = 0; i < excerpt->waits.count; i++)
        if (excerpt->waits.items[i].number < ring->first)
            ser_vector_push(later, excerpt->waits.items[i].number);
}

ser_status ser_window_check(const ser_event_ring *ring, const ser_excerpt *excerpt, uint64_t block,
                            const ser_event_list *order, ser_error *error)
{
    event_list events = {0};
    ser_number_list whole = {0}, rest = {0}, later = {0};
    for (uint64_t i = ring->first; i <= excerpt->last; i++)
        ser_vector_push(&events, ser_event_ring_at(ring, i)->event);
    put_later(ring, excerpt, &later);
    put_observed(ring, excerpt, &whole);
    ser_numbering_expand(excerpt->run, order, &rest);
    for (size_t i = 0; i < rest.count; i++)
        ser_vector_push(&whole, rest.items[i]);
    const ser_checked_window window = {&ring->start, events.items, events.count, ring->first};
    const ser_late_witness witness = {block, later.items, later.count, whole.items, whole.count};
    ser_status status = ser_checker_check_from(&window, &witness, NULL, error);
    if (status != SER_OK)
        ser_error_prefix(error, "the witness of the block of event %" PRIu64 " is refused", block);
    ser_vector_free(&events);
    ser_vector_free(&whole);
    ser_vector_free(&rest);
    ser_vector_free(&later);
    return status;
}
