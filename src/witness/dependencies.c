/* SPDX-License-Identifier: MIT */
/*
 * Every event gets edges from the last events it depends on: the one before it in
 * its thread; for a read the last write of the variable, for a write that and the
 * reads since; for lock actions the last action on the lock; likewise for
 * conditions, barriers and semaphores; fork, join and wake-ups. An event's step
 * after a wait depends on the condition, too. An ordered-last event depends on all events before it
 * in the trace. Everything else follows from these, also which reads are changed and which writes
 * are dirty.
 *
 * The events of a multi-variable access stay, and run, together: the place of the first has the
 * edges of all of them.
 *
 * Fewer events are needed than depend on one another: a write needs no access before
 * it, and an acquire only needs that the thread that holds the lock releases it (needs_only).
 */
#include "witness/dependencies.h"

#include "base/vector.h"

/* By a dense number; 0 for those beyond its end. */
typedef SER_VECTOR(uint32_t) places;

typedef struct tracker {
    const ser_run *run;
    ser_dependencies *edges;
    const ser_event_list *order;
    bool needs_only;       /* edges from what is needed, not from all that has its place before */
    bool spares_changes;   /* and changed reads do not need the writes that changed them */
    places last_of_thread; /* by thread: 1 + place */
    places last_on[SER_SPACE_COUNT]; /* by object: 1 + place of the last action */
    SER_VECTOR(ser_event_list)
    read_lists;         /* by variable: places of the reads since the last
                           write */
    places place_of;    /* by event: 1 + place; only if there are late ones */
    uint32_t last_late; /* 1 + place of the last late event */
    uint32_t place;
    uint32_t step; /* place of the first event of the same step */
} tracker;

static void depend_on(tracker *track, uint32_t place_plus_one)
{
    if (place_plus_one && place_plus_one - 1 < track->step)
        ser_vector_push(&track->edges->sources, place_plus_one - 1);
}

static void depend_on_last(tracker *track, const places *last, uint32_t object)
{
    if (object < last->count)
        depend_on(track, last->items[object]);
}

/* After the last action on the object, and the last one from now on. */
static void act_on(tracker *track, ser_space space, uint32_t object)
{
    uint32_t *last = ser_vector_slot(&track->last_on[space], object);
    depend_on(track, *last);
    *last = track->place + 1;
}

/* Does the read at the current place read from a write that it does not accept? (Dirty writes are
 * not considered.) */
static bool is_changed(const tracker *track, uint32_t last_write)
{
    uint32_t read = track->order->items[track->place];
    uint32_t write = last_write ? track->order->items[last_write - 1] : 0;
    return write != track->run->couple[read] && !ser_reads_accepts(track->run->reads, read, write);
}

static void access_variable(tracker *track, const ser_event *event)
{
    ser_event_list *reads = ser_vector_slot(&track->read_lists, event->object);
    uint32_t *last = ser_vector_slot(&track->last_on[SER_SPACE_VARIABLE], event->object);
    bool spared =
        track->spares_changes && ser_op_reads((ser_op)event->op) && is_changed(track, *last);
    if ((ser_op_reads((ser_op)event->op) && !spared) || !track->needs_only)
        depend_on(track, *last);
    if (!ser_op_writes((ser_op)event->op)) {
        ser_vector_push(reads, track->place);
        return;
    }
    for (size_t i = 0; i < reads->count && !track->needs_only; i++)
        depend_on(track, reads->items[i] + 1);
    reads->count = 0;
    *last = track->place + 1;
}

static void touch_thread(tracker *track, const ser_event *event)
{
    if (ser_op_forks((ser_op)event->op)) {
        act_on(track, SER_SPACE_THREAD, event->object);
    } else {
        depend_on_last(track, &track->last_on[SER_SPACE_THREAD], event->object);
        depend_on_last(track, &track->last_of_thread, event->object);
    }
}

static void depend_on_waking(tracker *track, uint32_t event)
{
    uint32_t previous = ser_run_previous(track->run, event);
    if (previous && ser_op_waits((ser_op)track->run->events[previous].op))
        act_on(track, SER_SPACE_CONDITION, track->run->events[previous].object);
}

static void depend_on_all_before(tracker *track, uint32_t event)
{
    for (uint32_t i = 0; i < track->run->threads.count; i++) {
        uint32_t last = ser_run_last_before(track->run, i, event);
        depend_on(track, track->place_of.items[last]);
    }
}

/* Where reads may change, no changed read comes before an ordered-last event: so reads after it,
 * which may be changed, stay after it. */
static void depend_on_late(tracker *track, uint32_t number)
{
    ser_op op = (ser_op)track->run->events[number].op;
    if (track->run->reads && !track->needs_only && ser_op_has(op, SER_READS | SER_TESTS))
        depend_on(track, track->last_late);
    if (ser_run_is_late(track->run, number))
        track->last_late = track->place + 1;
}

static void add_dependencies(tracker *track, uint32_t number)
{
    const ser_event *event = &track->run->events[number];
    uint32_t *last = ser_vector_slot(&track->last_of_thread, event->thread);
    depend_on(track, *last);
    *last = track->place + 1;
    if (ser_run_previous(track->run, number) == 0)
        depend_on_last(track, &track->last_on[SER_SPACE_THREAD], event->thread);
    depend_on_waking(track, number);
    if (ser_run_is_late(track->run, number))
        depend_on_all_before(track, number);
    if (track->run->late)
        depend_on_late(track, number);
    switch (ser_op_space((ser_op)event->op)) {
    case SER_SPACE_VARIABLE:
        access_variable(track, event);
        break;
    case SER_SPACE_THREAD:
        touch_thread(track, event);
        break;
    case SER_SPACE_LABEL:
    case SER_SPACE_FUNCTION:
        break;
    case SER_SPACE_LOCK:
        if (!track->needs_only ||
            track->run->failed_tries) /* these see which thread holds the lock */
            act_on(track, SER_SPACE_LOCK, event->object);
        break;
    default:
        act_on(track, ser_op_space((ser_op)event->op), event->object);
        break;
    }
}

/* The next step begins at this place: the first event of the last one has all its edges. */
static void end_step(tracker *track, uint32_t next)
{
    for (uint32_t member = track->step + 1; member < next; member++)
        track->edges->first.items[member] = (uint32_t)track->edges->sources.count;
    track->step = next;
}

/* `track` says what for; it need have nothing else. */
static void find(tracker track, ser_dependencies *edges)
{
    const ser_run *run = track.run;
    const ser_event_list *order = track.order;
    track.edges = edges;
    if (run->late)
        ser_vector_extend(&track.place_of, run->count + 1);
    for (uint32_t i = 0; i < order->count; i++) {
        if (i > 0 && !ser_is_joined_at(run, order, i - 1))
            end_step(&track, i);
        track.place = i;
        if (run->late)
            track.place_of.items[order->items[i]] = i + 1;
        ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
        add_dependencies(&track, order->items[i]);
    }
    end_step(&track, (uint32_t)order->count);
    ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
    ser_vector_free(&track.place_of);
    ser_vector_free(&track.last_of_thread);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_vector_free(&track.last_on[space]);
    for (size_t i = 0; i < track.read_lists.count; i++)
        ser_vector_free(&track.read_lists.items[i]);
    ser_vector_free(&track.read_lists);
}

void ser_dependencies_find(ser_dependencies *edges, const ser_run *run, const ser_event_list *order)
{
    find((tracker){.run = run, .order = order}, edges);
}

void ser_dependencies_find_needs(ser_dependencies *edges, const ser_run *run,
                                 const ser_event_list *order, bool spares_changes)
{
    find((tracker){.run = run,
                   .order = order,
                   .needs_only = true,
                   .spares_changes = spares_changes && run->reads},
         edges);
}

void ser_dependencies_fini(ser_dependencies *edges)
{
    ser_vector_free(&edges->first);
    ser_vector_free(&edges->sources);
}
