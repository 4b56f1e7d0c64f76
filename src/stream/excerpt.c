/* SPDX-License-Identifier: MIT */
/*
 * The window's events are numbered anew first (copy_window), so that it is known which objects of
 * the past occur in it. Then what stands before them is put together, and all go through a sieve.
 */
#include "stream/excerpt.h"

#include "stream/renumbering.h"

typedef struct maker {
    ser_excerpt *excerpt;
    const ser_event_ring *ring;
    ser_renumbering *numbers;
    ser_stream_state state;       /* at the first event of the window */
    SER_VECTOR(ser_event) window; /* its events, with new numbers */
    SER_VECTOR(bool) forked;      /* by new number of a thread: within the window */
    SER_VECTOR(bool) waits;       /* by new number of a thread: its wait comes before the window */
    ser_users users;              /* of the window's variables */
    ser_sieve *sieve;
    uint32_t helper;   /* 1 + the new number of a thread that is in no trace; 0: none is needed */
    uint32_t meetings; /* barriers that are in no trace */
    bool has_past;     /* events were put before the window */
} maker;

static void find_state(maker *make)
{
    const ser_event_ring *ring = make->ring;
    ser_stream_state_copy(&make->state, &ring->before);
    for (uint64_t i = ring->first; i < make->excerpt->first; i++)
        ser_stream_state_take(&make->state, &ser_event_ring_at(ring, i)->event, i);
}

/* --- the window ------------------------------------------------------------------ */

/* The end of a block that has begun before the window is none here. */
static void drop_strange_end(ser_event *event, bool *is_open)
{
    if (event->flags & SER_EVENT_STEP)
        return;
    if (event->flags & SER_EVENT_OPENS)
        *is_open = true;
    if (!(event->flags & SER_EVENT_CLOSES))
        return;
    if (!*is_open)
        event->flags &= (uint8_t)~SER_EVENT_CLOSES;
    *is_open = false;
}

static void copy_window(maker *make)
{
    SER_VECTOR(bool) open = {0};
    for (uint64_t i = make->excerpt->first; i <= make->excerpt->last; i++) {
        ser_event event =
            ser_renumbering_event(make->numbers, &ser_event_ring_at(make->ring, i)->event);
        drop_strange_end(&event, ser_vector_slot(&open, event.thread));
        if (ser_op_forks((ser_op)event.op))
            *ser_vector_slot(&make->forked, event.object) = true;
        ser_vector_push(&make->window, event);
    }
    ser_vector_free(&open);
}

/* --- the past ---------------------------------------------------------------------- */

static void put(maker *make, const ser_event *event, uint64_t number)
{
    ser_error error;
    ser_sieve_continue_at(make->sieve, number);
    ser_check(ser_sieve_add(make->sieve, event, 1, &error) == SER_OK);
    make->has_past = true;
}

static void put_acquires(maker *make)
{
    for (size_t i = 0; i < make->state.held.count; i++) {
        const ser_event *acquire = &make->state.held.items[i].event;
        if (!ser_renumbering_has(make->numbers, SER_SPACE_LOCK, acquire->object))
            continue;
        ser_event event = ser_renumbering_event(make->numbers, acquire);
        event.flags = 0;
        put(make, &event, 0);
    }
}

/* A thread that does what perhaps none of the window could do at this point. */
static uint32_t find_helper(maker *make)
{
    if (!make->helper)
        make->helper = 1 + ser_renumbering_add_thread(make->numbers);
    return make->helper - 1;
}

/* A thread that is there before the window: not all of its threads are forked within it. */
static uint32_t find_old_thread(maker *make)
{
    uint32_t thread = 0;
    ser_vector_extend(&make->forked, make->numbers->spaces[SER_SPACE_THREAD].count);
    while (make->forked.items[thread])
        thread++;
    return thread;
}

/* As many as the window takes; only the number of them counts, not which thread posts. */
static void put_posts(maker *make)
{
    for (size_t i = 0; i < make->window.count; i++) {
        ser_event event = make->window.items[i];
        if (!ser_op_takes((ser_op)event.op))
            continue;
        uint32_t old = ser_event_ring_at(make->ring, make->excerpt->first + i)->event.object;
        uint32_t *stock = ser_vector_slot(&make->state.stocks, old);
        if (!*stock)
            continue;
        --*stock;
        event.thread = find_old_thread(make);
        event.op = SER_OP_POST;
        event.flags = 0;
        put(make, &event, 0);
    }
}

/* --- those that are inside of barriers ------------------------------------------------- */

/* Of a thread that is in this barrier only later, or never. */
static void put_departure(maker *make, const ser_inside *last, const ser_inside *next)
{
    ser_event event = ser_renumbering_event(make->numbers, &last->arrival);
    event.thread = next ? ser_renumbering_of(make->numbers, SER_SPACE_THREAD, next->arrival.thread)
                        : find_helper(make);
    event.op = SER_OP_DEPART;
    event.flags = 0;
    put(make, &event, 0);
}

/* The next one that occurs in the window, from a place on; NULL: none does. */
static const ser_inside *next_inside(const maker *make, const ser_stream_barrier *barrier,
                                     size_t *place)
{
    while (*place < barrier->inside.count) {
        const ser_inside *one = &barrier->inside.items[(*place)++];
        if (ser_renumbering_has(make->numbers, SER_SPACE_THREAD, one->arrival.thread))
            return one;
    }
    return NULL;
}

/* Round by round; a departure ends each but a newest one that is open. */
static void put_inside(maker *make, const ser_stream_barrier *barrier)
{
    size_t place = 0;
    const ser_inside *one = next_inside(make, barrier, &place);
    while (one) {
        const ser_inside *next = next_inside(make, barrier, &place);
        ser_event event = ser_renumbering_event(make->numbers, &one->arrival);
        event.flags = 0;
        put(make, &event, 0);
        bool is_newest = one->round == barrier->round && !barrier->is_closed;
        bool ends = next ? next->round != one->round : !is_newest;
        if (ends)
            put_departure(make, one, next);
        one = next;
    }
}

static void put_arrivals(maker *make)
{
    for (uint32_t i = 0; i < make->state.barriers.count; i++)
        if (ser_renumbering_has(make->numbers, SER_SPACE_BARRIER, i))
            put_inside(make, &make->state.barriers.items[i]);
}

/* --- the point at which the window begins ---------------------------------------------- */

/* Of all threads that are there before the window and can go on. */
static void put_meeting(maker *make)
{
    uint32_t threads = make->numbers->spaces[SER_SPACE_THREAD].count;
    uint32_t barrier = make->numbers->spaces[SER_SPACE_BARRIER].count + make->meetings++;
    static const ser_op operations[] = {SER_OP_ARRIVE, SER_OP_DEPART};
    ser_vector_extend(&make->forked, threads);
    ser_vector_extend(&make->waits, threads);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (uint32_t thread = 0; thread < threads; thread++)
            if (!make->forked.items[thread] && !make->waits.items[thread])
                put(make,
                    &(ser_event){.thread = thread,
                                 .object = barrier,
                                 .site = SER_NO_SITE,
                                 .op = (uint8_t)operations[i]},
                    0);
}

/* --- waits --------------------------------------------------------------------------- */

static bool can_come_later(const maker *make, const ser_pending *wait)
{
    return wait->number > make->state.late && !wait->ends_wait;
}

static void put_wait(maker *make, const ser_pending *wait)
{
    bool is_free = can_come_later(make, wait);
    ser_event event = ser_renumbering_event(make->numbers, &wait->event);
    event.flags = 0;
    put(make, &event, is_free ? wait->number : 0);
    if (is_free)
        ser_vector_push(&make->excerpt->waits, *wait);
    else
        *ser_vector_slot(&make->waits, event.thread) = true;
}

/* For conditions of the window; those that can come later than they did, or those that cannot. */
static bool put_waits(maker *make, bool free)
{
    bool any = false;
    for (uint32_t i = 0; i < make->state.conditions.count; i++) {
        const ser_pending_list *waits = &make->state.conditions.items[i].waits;
        if (!ser_renumbering_has(make->numbers, SER_SPACE_CONDITION, i))
            continue;
        for (size_t j = 0; j < waits->count; j++) {
            if (can_come_later(make, &waits->items[j]) != free)
                continue;
            put_wait(make, &waits->items[j]);
            any = true;
        }
    }
    return any;
}

/* An access that is ordered last comes after all that was put before it, also after waits, whose
 * threads cannot meet the others. */
static void put_late_access(maker *make)
{
    ser_event event = {.thread = find_helper(make),
                       .object = make->numbers->spaces[SER_SPACE_VARIABLE].count,
                       .site = SER_NO_SITE,
                       .op = SER_OP_WRITE,
                       .flags = SER_EVENT_LATE};
    ser_users_add(&make->users, &event, 1);
    put(make, &event, 0);
}

/* What must come before all of the window, and then waits that can come later. */
static void put_past(maker *make)
{
    put_acquires(make);
    put_posts(make);
    put_arrivals(make);
    if (make->has_past)
        put_meeting(make);
    if (put_waits(make, false)) {
        put_late_access(make);
        put_meeting(make);
    }
    put_waits(make, true);
}

/* --- all ------------------------------------------------------------------------------ */

static void put_window(maker *make)
{
    ser_error error;
    ser_sieve_continue_at(make->sieve, make->excerpt->first);
    ser_check(ser_sieve_add(make->sieve, make->window.items, make->window.count, &error) == SER_OK);
    make->excerpt->run = ser_sieve_finish(make->sieve, &error);
    ser_check(make->excerpt->run != NULL);
}

void ser_excerpt_make(ser_excerpt *excerpt, const ser_event_ring *ring, uint64_t first,
                      uint64_t last, ser_renumbering *renumbering)
{
    *excerpt = (ser_excerpt){.first = first, .last = last};
    maker make = {.excerpt = excerpt, .ring = ring, .numbers = renumbering};
    ser_renumbering_restart(renumbering);
    find_state(&make);
    copy_window(&make);
    ser_users_add(&make.users, make.window.items, make.window.count);
    make.sieve = ser_sieve_create(NULL, &make.users, &excerpt->numbering);
    put_past(&make);
    put_window(&make);
    ser_users_fini(&make.users);
    ser_vector_free(&make.window);
    ser_vector_free(&make.forked);
    ser_vector_free(&make.waits);
    ser_stream_state_fini(&make.state);
}

void ser_excerpt_fini(ser_excerpt *excerpt)
{
    ser_run_destroy(excerpt->run);
    ser_numbering_fini(&excerpt->numbering);
    ser_vector_free(&excerpt->waits);
    *excerpt = (ser_excerpt){0};
}

/* --- reports ---------------------------------------------------------------------------- */

/* As it is in the trace; the marks of blocks and steps stay as the run has them. */
static void restore_event(ser_event *event, const ser_event *original)
{
    uint8_t flags = event->flags;
    *event = *original;
    event->flags = flags;
}

static const ser_event *find_original(const ser_excerpt *excerpt, const ser_event_ring *ring,
                                      uint64_t number)
{
    if (number >= excerpt->first)
        return &ser_event_ring_at(ring, number)->event;
    for (size_t i = 0; i < excerpt->waits.count; i++)
        if (excerpt->waits.items[i].number == number)
            return &excerpt->waits.items[i].event;
    return NULL;
}

static void restore_spared(ser_excerpt *excerpt, const ser_renumbering *numbers)
{
    ser_numbering restored = {0};
    for (size_t i = 0; i < excerpt->numbering.spared.count; i++) {
        ser_spared *own = &excerpt->numbering.spared.items[i];
        if (own->distances.count)
            *ser_vector_slot(&restored.spared, numbers->threads.items[i]) = *own;
    }
    ser_vector_free(&excerpt->numbering.spared);
    excerpt->numbering.spared.items = restored.spared.items;
    excerpt->numbering.spared.count = restored.spared.count;
    excerpt->numbering.spared.capacity = restored.spared.capacity;
}

void ser_excerpt_restore(ser_excerpt *excerpt, const ser_event_ring *ring,
                         const ser_renumbering *renumbering)
{
    ser_run *run = excerpt->run;
    for (uint32_t i = 1; i <= run->count; i++) {
        uint64_t number = ser_run_number(run, i);
        const ser_event *original = number ? find_original(excerpt, ring, number) : NULL;
        if (original)
            restore_event(&run->events[i], original);
    }
    for (size_t i = 0; i < run->blocks.count; i++)
        run->blocks.items[i].thread = run->events[run->blocks.items[i].begin].thread;
    restore_spared(excerpt, renumbering);
}

uint32_t ser_excerpt_strip(const ser_excerpt *excerpt, ser_event_list *order)
{
    const ser_run *run = excerpt->run;
    size_t kept = 0;
    uint32_t switches = 0, last = 0;
    for (size_t i = 0; i < order->count; i++) {
        uint32_t event = order->items[i];
        if (!ser_run_number(run, event))
            continue;
        switches += last && run->events[event].thread != run->events[last].thread;
        order->items[kept++] = last = event;
    }
    order->count = kept;
    return switches;
}
