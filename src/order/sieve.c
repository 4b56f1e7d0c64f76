/* SPDX-License-Identifier: MIT */
/*
 * An event that is joined to the next one waits (held) until it is known whether a later part of
 * its step is needed, too. If none is, it is joined to nothing any more.
 */
#include "order/sieve.h"

struct ser_sieve {
    const ser_users *users;
    ser_numbering *numbering;
    ser_run_builder *builder;
    SER_VECTOR(ser_event) needed; /* of the events that are being added */
    SER_VECTOR(ser_event) step;   /* parts of a multi-variable access that is not complete */
    bool is_step_needed;
    uint64_t number;             /* of the last event */
    SER_VECTOR(uint32_t) open;   /* by thread: 1 + index of its open block; 0: none */
    SER_VECTOR(bool) waits;      /* by thread: its last event is a wait */
    SER_VECTOR(uint32_t) spared; /* by block: its events that were spared */
};

ser_sieve *ser_sieve_create(const ser_symbols *symbols, const ser_users *users,
                            ser_numbering *numbering)
{
    ser_sieve *sieve = ser_alloc(1, sizeof *sieve);
    sieve->users = users;
    sieve->numbering = numbering;
    sieve->builder = ser_run_builder_create(symbols);
    ser_numbering_init(numbering);
    return sieve;
}

static void keep(ser_sieve *sieve, const ser_event *event, uint64_t number)
{
    ser_vector_push(&sieve->needed, *event);
    ser_numbering_keep(sieve->numbering, number);
}

static void spare(ser_sieve *sieve, const ser_event *event, uint64_t number)
{
    if (!ser_op_takes_part((ser_op)event->op))
        return;
    ser_numbering_spare(sieve->numbering, event->thread, number);
    uint32_t open = *ser_vector_slot(&sieve->open, event->thread);
    if (open)
        ++*ser_vector_slot(&sieve->spared, open - 1);
}

/* Its last part was the event with that number. */
static void end_step(ser_sieve *sieve, uint64_t last)
{
    size_t count = sieve->step.count;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = last - (count - 1 - i);
        (sieve->is_step_needed ? keep : spare)(sieve, &sieve->step.items[i], number);
    }
    sieve->step.count = 0;
    sieve->is_step_needed = false;
}

/* Is it the next part? What an event was joined to may be missing in a trace that was cut. */
static bool goes_on(const ser_sieve *sieve, const ser_event *event)
{
    const ser_event *first = sieve->step.items;
    return sieve->step.count && first->thread == event->thread && first->op == event->op;
}

/* When a thread goes on after a wait decides which notify has woken it. */
static bool ends_wait(ser_sieve *sieve, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool *waits = ser_vector_slot(&sieve->waits, event->thread);
    bool ends = *waits && ser_op_takes_part(op);
    if (ser_op_takes_part(op))
        *waits = ser_op_waits(op);
    return ends;
}

static void sort(ser_sieve *sieve, const ser_event *event)
{
    if (sieve->step.count && !goes_on(sieve, event))
        end_step(sieve, sieve->number - 1);
    ser_vector_push(&sieve->step, *event);
    sieve->is_step_needed |= ends_wait(sieve, event) || ser_users_need(sieve->users, event);
    if (!(event->flags & SER_EVENT_JOINED))
        end_step(sieve, sieve->number);
}

static void open_block(ser_sieve *sieve, uint32_t thread)
{
    ser_vector_push(&sieve->spared, 0);
    *ser_vector_slot(&sieve->open, thread) = (uint32_t)sieve->spared.count;
}

static void sift(ser_sieve *sieve, const ser_event *event)
{
    bool is_bound = !(event->flags & SER_EVENT_STEP);
    sieve->number++;
    if ((event->flags & SER_EVENT_OPENS) && is_bound)
        open_block(sieve, event->thread);
    sort(sieve, event);
    if ((event->flags & SER_EVENT_CLOSES) && is_bound)
        *ser_vector_slot(&sieve->open, event->thread) = 0;
}

void ser_sieve_continue_at(ser_sieve *sieve, uint64_t number)
{
    end_step(sieve, sieve->number);
    sieve->number = number - 1;
}

static ser_status hand_on(ser_sieve *sieve, ser_error *error)
{
    ser_status status =
        ser_run_builder_add(sieve->builder, sieve->needed.items, sieve->needed.count, error);
    sieve->needed.count = 0;
    return status;
}

ser_status ser_sieve_add(ser_sieve *sieve, const ser_event *events, size_t count, ser_error *error)
{
    for (size_t i = 0; i < count; i++)
        sift(sieve, &events[i]);
    return hand_on(sieve, error);
}

ser_run *ser_sieve_finish(ser_sieve *sieve, ser_error *error)
{
    ser_run *run = NULL;
    end_step(sieve, sieve->number);
    if (hand_on(sieve, error) == SER_OK) {
        run = ser_run_builder_finish(sieve->builder);
        sieve->builder = NULL;
        run->numbering = sieve->numbering;
        for (size_t i = 0; i < run->blocks.count; i++)
            run->blocks.items[i].spared = sieve->spared.items[i];
    }
    ser_sieve_discard(sieve);
    return run;
}

void ser_sieve_discard(ser_sieve *sieve)
{
    if (!sieve)
        return;
    ser_run_builder_discard(sieve->builder);
    ser_vector_free(&sieve->needed);
    ser_vector_free(&sieve->step);
    ser_vector_free(&sieve->open);
    ser_vector_free(&sieve->waits);
    ser_vector_free(&sieve->spared);
    free(sieve);
}
