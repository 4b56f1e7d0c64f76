/* SPDX-License-Identifier: MIT */
/*
 * Fills the slots of a program, one kind after the other: sections first, since they
 * hold accesses, calls last, since they make up the rest. Each round copies every script
 * and puts steps in the place of the slots of its kind.
 *
 * The slots of a round are cumulated over all threads, so that their shares add up
 * exactly to what there is to share.
 */
#include "base/status.h"
#include "program.h"

/* The sharing out of `total` things among slots of total weight `weights`. */
typedef struct portion {
    step_kind kind;
    uint64_t total, weights, seen;
} portion;

static uint64_t add_weights(const program *p, step_kind kind)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < p->threads.count; t++) {
        const script *steps = &p->threads.items[t].steps;
        for (size_t i = 0; i < steps->count; i++)
            if (steps->items[i].kind == kind)
                sum += steps->items[i].amount;
    }
    return sum;
}

static uint64_t take_share(portion *of, uint64_t weight)
{
    uint64_t before = of->total * of->seen / of->weights;
    of->seen += weight;
    return of->total * of->seen / of->weights - before;
}

static uint32_t choose_variable(program *p, const step *slot)
{
    return slot->variables.first + random_below(&p->random, slot->variables.count);
}

static void fill_sections(program *p, const step *slot, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        do_acquire(p, slot->object);
        if (slot->variables.count)
            do_update(p, choose_variable(p, slot));
        do_release(p, slot->object);
    }
}

static void fill_accesses(program *p, const step *slot, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t variable = choose_variable(p, slot);
        if (random_chance(&p->random, slot->writes))
            do_write(p, variable);
        else
            do_read(p, variable);
    }
}

static void fill_calls(program *p, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        do_enter(p, "helper");
        do_leave(p);
    }
}

static void fill_slot(program *p, const step *slot, portion *of)
{
    uint64_t count = take_share(of, slot->amount);
    if (slot->kind == STEP_SECTIONS)
        fill_sections(p, slot, count);
    else if (slot->kind == STEP_ACCESSES)
        fill_accesses(p, slot, count);
    else
        fill_calls(p, count);
}

/* The thread's functions are those of the end of its script; what is filled in stands
 * where its slot stood. */
static void set_places(script *steps, size_t from, const char *place)
{
    for (size_t i = from; i < steps->count; i++)
        steps->items[i].place = place;
}

static void fill_thread(program *p, uint32_t t, portion *of)
{
    script old = p->threads.items[t].steps;
    script *steps = &p->threads.items[t].steps;
    memset(steps, 0, sizeof *steps);
    act_as(p, t);
    for (size_t i = 0; i < old.count; i++) {
        if (old.items[i].kind == of->kind) {
            size_t from = steps->count;
            fill_slot(p, &old.items[i], of);
            set_places(steps, from, old.items[i].place);
        } else {
            ser_vector_push(steps, old.items[i]);
        }
    }
    ser_vector_free(&old);
}

static void fill(program *p, step_kind kind, uint32_t wanted, uint32_t made)
{
    portion of = {.kind = kind, .weights = add_weights(p, kind)};
    if (of.weights == 0)
        return;
    of.total = wanted > made ? wanted - made : 0;
    for (uint32_t t = 0; t < p->threads.count; t++)
        fill_thread(p, t, &of);
}

void program_complete(program *p)
{
    const figures *wanted = p->wanted, *made = &p->made;
    fill(p, STEP_SECTIONS, wanted->lock_events / 2, made->lock_events / 2);
    fill(p, STEP_ACCESSES, wanted->accesses, made->accesses);
    act_as(p, MAIN);
    if (wanted->events > made->events && (wanted->events - made->events) % 2)
        do_enter(p, "exit");
    fill(p, STEP_CALLS, wanted->events / 2, made->events / 2);
}
