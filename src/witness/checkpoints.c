/* SPDX-License-Identifier: MIT */
#include "witness/checkpoints.h"

#include "witness/from_checkpoint.h"

enum { USUAL_SPACING = 8192 };

typedef struct mark {
    uint32_t number;      /* of the last event before it */
    ser_past_events past; /* what is left of the events up to that one */
} mark;

struct ser_checkpoints {
    const ser_event *events;
    SER_VECTOR(mark) marks;
};

/* Where much is held, checkpoints are further apart, so that all of them take no more than the
 * trace does. None splits a multi-variable access. */
static bool is_due(const ser_checkpoints *all, uint32_t spacing, uint32_t number)
{
    enum { SHARE = 4 };
    const mark *last = &all->marks.items[all->marks.count - 1];
    size_t distance = number - last->number;
    return distance >= spacing && distance / SHARE >= last->past.count &&
           !(all->events[number].flags & SER_EVENT_JOINED);
}

ser_checkpoints *ser_checkpoints_create(const ser_event *events, uint32_t count, uint32_t spacing)
{
    ser_checkpoints *all = ser_alloc(1, sizeof *all);
    ser_checkpoint now = {0};
    all->events = events;
    ser_vector_push(&all->marks, (mark){0});
    for (uint32_t i = 1; i <= count; i++) {
        ser_checkpoint_take(&now, &events[i], i);
        if (!is_due(all, spacing ? spacing : USUAL_SPACING, i))
            continue;
        mark fresh = {.number = i};
        ser_checkpoint_list(&now, &fresh.past);
        ser_vector_push(&all->marks, fresh);
    }
    ser_checkpoint_fini(&now);
    return all;
}

void ser_checkpoints_destroy(ser_checkpoints *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->marks.count; i++)
        ser_vector_free(&all->marks.items[i].past);
    ser_vector_free(&all->marks);
    free(all);
}

static uint32_t count_switches(const ser_checkpoints *all, const ser_near_witness *witness)
{
    uint32_t switches = 0;
    for (size_t i = 1; i < witness->count; i++)
        switches +=
            all->events[witness->order[i]].thread != all->events[witness->order[i - 1]].thread;
    return switches;
}

static const mark *last_before(const ser_checkpoints *all, uint32_t start)
{
    size_t low = 0, high = all->marks.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(all->marks.items[middle].number < start ? &low : &high) = middle;
    }
    return &all->marks.items[low];
}

ser_status ser_checkpoints_check(const ser_checkpoints *all, const ser_near_witness *witness,
                                 ser_witness_facts *facts, ser_error *error)
{
    const mark *at = last_before(all, witness->start);
    uint32_t first = at->number + 1;
    ser_checkpoint from = {0};
    SER_VECTOR(uint64_t) order = {0};
    for (size_t i = 0; i < at->past.count; i++)
        ser_checkpoint_take_past(&from, &at->past.items[i]);
    for (uint32_t i = first; i < witness->start; i++)
        if (ser_op_takes_part((ser_op)all->events[i].op))
            ser_vector_push(&order, i);
    for (size_t i = 0; i < witness->count; i++)
        ser_vector_push(&order, witness->order[i]);
    const ser_checked_window window = {&from, &all->events[first], witness->last + 1 - first,
                                       first};
    const ser_late_witness late = {
        .block = witness->block, .order = order.items, .order_count = order.count};
    ser_status status = ser_checker_check_from(&window, &late, facts, error);
    if (status == SER_OK)
        facts->switches = count_switches(all, witness);
    ser_vector_free(&order);
    ser_checkpoint_fini(&from);
    return status;
}
