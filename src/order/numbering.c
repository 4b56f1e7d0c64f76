/* SPDX-License-Identifier: MIT */
#include "order/numbering.h"

/* Where the spared events of a thread are read. */
typedef struct cursor {
    size_t at;
    uint64_t next; /* number of the next one; 0: not read yet; UINT64_MAX: there is none */
} cursor;

void ser_numbering_init(ser_numbering *numbering)
{
    ser_vector_push(&numbering->numbers, 0);
}

void ser_numbering_fini(ser_numbering *numbering)
{
    ser_vector_free(&numbering->numbers);
    for (size_t i = 0; i < numbering->spared.count; i++)
        ser_vector_free(&numbering->spared.items[i].distances);
    ser_vector_free(&numbering->spared);
}

void ser_numbering_keep(ser_numbering *numbering, uint64_t number)
{
    ser_vector_push(&numbering->numbers, number);
}

void ser_numbering_spare(ser_numbering *numbering, uint32_t thread, uint64_t number)
{
    ser_spared *spared = ser_vector_slot(&numbering->spared, thread);
    uint64_t distance = number - spared->last;
    for (; distance >= 0x80; distance >>= 7)
        ser_vector_push(&spared->distances, (uint8_t)(distance | 0x80));
    ser_vector_push(&spared->distances, (uint8_t)distance);
    spared->last = number;
}

static void go_on(const ser_spared *spared, cursor *own)
{
    uint64_t distance = 0;
    if (own->at == spared->distances.count) {
        own->next = UINT64_MAX;
        return;
    }
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = spared->distances.items[own->at++];
        distance |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    own->next += distance;
}

/* What the thread does before the event. */
static void take_spared(const ser_spared *spared, cursor *own, uint64_t number,
                        ser_number_list *whole)
{
    if (own->at == 0)
        go_on(spared, own);
    for (; own->next < number; go_on(spared, own))
        ser_vector_push(whole, own->next);
}

typedef struct expansion {
    const ser_run *run;
    cursor *cursors; /* by thread, as far as there are spared events */
    ser_number_list *whole;
} expansion;

static void take_of(const expansion *all, uint32_t thread, uint64_t number)
{
    const ser_numbering *numbering = all->run->numbering;
    if (thread < numbering->spared.count)
        take_spared(&numbering->spared.items[thread], &all->cursors[thread], number, all->whole);
}

/* What must have happened before the event: what its thread has done; all that precedes it in the
 * trace, if it is ordered last; all of the thread that it joins. */
static void take_before(const expansion *all, uint32_t event)
{
    const ser_event *now = &all->run->events[event];
    uint64_t number = ser_run_number(all->run, event);
    if (ser_run_is_late(all->run, event))
        for (uint32_t thread = 0; thread < all->run->numbering->spared.count; thread++)
            take_of(all, thread, number);
    if (ser_op_joins((ser_op)now->op))
        take_of(all, now->object, number);
    take_of(all, now->thread, number);
}

void ser_numbering_expand(const ser_run *run, const ser_event_list *order, ser_number_list *whole)
{
    size_t threads = run->numbering ? run->numbering->spared.count : 0;
    const expansion all = {run, ser_alloc(threads, sizeof(cursor)), whole};
    for (size_t i = 0; i < order->count; i++) {
        if (threads)
            take_before(&all, order->items[i]);
        ser_vector_push(whole, ser_run_number(run, order->items[i]));
    }
    free(all.cursors);
}
