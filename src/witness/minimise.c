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
#include "witness/minimise.h"

#include "base/idmap.h"

/* Edges into one place of the order: sources.items[first .. next place's first). */
typedef struct dependencies {
    SER_VECTOR(uint32_t) first;
    SER_VECTOR(uint32_t) sources;
} dependencies;

/* By a dense number; 0 for those beyond its end. */
typedef SER_VECTOR(uint32_t) places;

typedef struct tracker {
    const ser_run *run;
    dependencies *edges;
    const ser_event_list *order;
    bool needs_only;       /* edges from what is needed, not from all that has its place before */
    bool spares_changes;   /* and changed reads do not need the writes that changed them */
    places last_of_thread; /* by thread: 1 + place */
    places last_on[SER_SPACE_COUNT]; /* by object: 1 + place of the last action */
    SER_VECTOR(ser_event_list)
    read_lists;         /* by variable: places of the reads since the last
                           write */
    ser_idmap place_of; /* event: 1 + place; only if there are late ones */
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
        depend_on(track, last ? ser_idmap_get(&track->place_of, last, 0) : 0);
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

/* Is the event at that place one step with the next? */
static bool is_joined(const ser_run *run, const ser_event_list *order, size_t place)
{
    return run->events[order->items[place]].flags & SER_EVENT_JOINED;
}

/* `track` says what for; it need have nothing else. */
static void find_dependencies(tracker track, dependencies *edges)
{
    const ser_run *run = track.run;
    const ser_event_list *order = track.order;
    track.edges = edges;
    for (uint32_t i = 0; i < order->count; i++) {
        bool joined = i > 0 && is_joined(run, order, i - 1);
        if (!joined)
            track.step = i;
        track.place = i;
        if (run->late)
            *ser_idmap_add(&track.place_of, order->items[i], 0) = i + 1;
        ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
        add_dependencies(&track, order->items[i]);
        for (uint32_t member = track.step + 1; joined && member <= i; member++)
            edges->first.items[member] = (uint32_t)edges->sources.count;
    }
    ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
    ser_idmap_fini(&track.place_of);
    ser_vector_free(&track.last_of_thread);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_vector_free(&track.last_on[space]);
    for (size_t i = 0; i < track.read_lists.count; i++)
        ser_vector_free(&track.read_lists.items[i]);
    ser_vector_free(&track.read_lists);
}

/* Which places of the order stay. */
typedef struct selection {
    const ser_run *run;
    const ser_event_list *order;
    dependencies edges;
    SER_VECTOR(bool) stays;
} selection;

/* Of a step that ends at this place, all events stay if one does. */
static void keep_step(selection *chosen, size_t end)
{
    size_t first = end;
    bool stays = chosen->stays.items[end];
    while (first > 0 && is_joined(chosen->run, chosen->order, first - 1))
        stays |= chosen->stays.items[--first];
    for (size_t i = first; i <= end; i++)
        chosen->stays.items[i] = stays;
}

/* Whatever a place that stays depends on stays, too. */
static void close_selection(selection *chosen)
{
    for (size_t i = chosen->order->count; i-- > 0;) {
        if (!is_joined(chosen->run, chosen->order, i))
            keep_step(chosen, i);
        if (!chosen->stays.items[i])
            continue;
        for (uint32_t j = chosen->edges.first.items[i]; j < chosen->edges.first.items[i + 1]; j++)
            chosen->stays.items[chosen->edges.sources.items[j]] = true;
    }
}

static bool is_outermost(const ser_event *event, unsigned role)
{
    return ser_op_has((ser_op)event->op, role) && !(event->flags & SER_EVENT_INNER);
}

/* A lock that is acquired and stays must be let go if another acquire comes later.
 * True if a release was added. */
static bool add_releases(selection *chosen)
{
    ser_idmap acquirers = {0}; /* lock -> 1 + thread of the next acquire that stays */
    ser_idmap acquires = {0};  /* acquire that stays -> 1 */
    bool added = false;
    for (size_t i = 0; i < chosen->order->count; i++)
        if (chosen->stays.items[i] &&
            is_outermost(&chosen->run->events[chosen->order->items[i]], SER_ACQUIRES))
            (void)ser_idmap_add(&acquires, chosen->order->items[i], 1);
    for (size_t i = chosen->order->count; i-- > 0;) {
        uint32_t number = chosen->order->items[i];
        const ser_event *event = &chosen->run->events[number];
        if (chosen->stays.items[i] && is_outermost(event, SER_ACQUIRES))
            *ser_idmap_add(&acquirers, event->object, 0) = 1 + event->thread;
        if (chosen->stays.items[i] || !is_outermost(event, SER_RELEASES))
            continue;
        uint32_t next = ser_idmap_get(&acquirers, event->object, 0);
        if (next && next != 1 + event->thread &&
            ser_idmap_get(&acquires, chosen->run->match[number], 0))
            added = chosen->stays.items[i] = true;
    }
    ser_idmap_fini(&acquirers);
    ser_idmap_fini(&acquires);
    return added;
}

/* Removes what no needed event needs. */
static void drop_unneeded(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count, bool spares_changes)
{
    selection chosen = {.run = run, .order = order};
    ser_idmap wanted = {0};
    find_dependencies((tracker){.run = run,
                                .order = order,
                                .needs_only = true,
                                .spares_changes = spares_changes && run->reads},
                      &chosen.edges);
    ser_vector_extend(&chosen.stays, order->count);
    for (size_t i = 0; i < needed_count; i++)
        (void)ser_idmap_add(&wanted, needed[i], 1);
    for (size_t i = 0; i < order->count; i++)
        chosen.stays.items[i] = ser_idmap_get(&wanted, order->items[i], 0);
    do
        close_selection(&chosen);
    while (add_releases(&chosen));

    size_t kept = 0;
    for (size_t i = 0; i < order->count; i++)
        if (chosen.stays.items[i])
            order->items[kept++] = order->items[i];
    order->count = kept;
    ser_idmap_fini(&wanted);
    ser_vector_free(&chosen.stays);
    ser_vector_free(&chosen.edges.first);
    ser_vector_free(&chosen.edges.sources);
}

/* The places of one thread's events, and how many of them have run. */
typedef struct lane {
    ser_event_list places;
    size_t done;
} lane;

typedef struct linearization {
    const dependencies *edges;
    SER_VECTOR(lane) lanes;
    SER_VECTOR(bool) done; /* by place */
    ser_event_list result; /* places */
} linearization;

static bool can_run(const linearization *work, uint32_t place)
{
    const dependencies *edges = work->edges;
    for (uint32_t j = edges->first.items[place]; j < edges->first.items[place + 1]; j++)
        if (!work->done.items[edges->sources.items[j]])
            return false;
    return true;
}

/* Lets a lane run as long as it can; how far it gets. */
static size_t run_lane(linearization *work, lane *running)
{
    size_t before = running->done;
    while (running->done < running->places.count &&
           can_run(work, running->places.items[running->done])) {
        uint32_t place = running->places.items[running->done++];
        work->done.items[place] = true;
        ser_vector_push(&work->result, place);
    }
    return running->done - before;
}

static void fill_lanes(linearization *work, const ser_run *run, const ser_event_list *order)
{
    places lane_of = {0}; /* 1 + its lane; lanes are in the order in which threads begin */
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t *number = ser_vector_slot(&lane_of, run->events[order->items[i]].thread);
        if (!*number)
            *number = (uint32_t)work->lanes.count + 1;
        ser_vector_push(&ser_vector_slot(&work->lanes, *number - 1)->places, i);
    }
    ser_vector_free(&lane_of);
}

static void take_back(linearization *work, lane *running, size_t steps)
{
    for (; steps > 0; steps--)
        work->done.items[running->places.items[--running->done]] = false;
}

/* Each lane in its turn, as far as it gets. How many turns that takes. */
static size_t run_around(linearization *work, size_t count)
{
    size_t turns = 0;
    while (work->result.count < count)
        for (size_t i = 0; i < work->lanes.count; i++)
            turns += run_lane(work, &work->lanes.items[i]) > 0;
    return turns;
}

static void start_again(linearization *work)
{
    for (size_t i = 0; i < work->lanes.count; i++)
        take_back(work, &work->lanes.items[i], work->lanes.items[i].done);
    work->result.count = 0;
}

/* Can the rest be executed in so many turns, if the next turn is not of the last lane? It is always
 * best to let a lane run as far as it gets: that never blocks others. `budget` bounds the steps of
 * this search. */
static bool run_in_turns(linearization *work, size_t count, size_t turns, size_t last,
                         uint64_t *budget)
{
    if (work->result.count == count)
        return true;
    if (turns == 0)
        return false;
    for (size_t i = 0; i<work->lanes.count && * budget> 0; i++) {
        size_t steps = i == last ? 0 : run_lane(work, &work->lanes.items[i]);
        *budget -= steps < *budget ? steps : *budget;
        if (steps > 0 && run_in_turns(work, count, turns - 1, i, budget))
            return true;
        take_back(work, &work->lanes.items[i], steps);
        work->result.count -= steps;
    }
    return false;
}

/* The minimum of turns, unless the search for it takes much longer than a round-robin order. */
static void run_with_few_switches(linearization *work, size_t count)
{
    uint64_t budget = 8 * (uint64_t)count;
    size_t most = run_around(work, count);
    start_again(work);
    for (size_t turns = work->lanes.count; turns < most && budget > 0; turns++)
        if (run_in_turns(work, count, turns, SIZE_MAX, &budget))
            return;
    run_around(work, count);
}

/* Another order of the same events, with few switches. */
static void linearize(const ser_run *run, ser_event_list *order)
{
    dependencies edges = {0};
    linearization work = {.edges = &edges};
    find_dependencies((tracker){.run = run, .order = order}, &edges);
    fill_lanes(&work, run, order);
    ser_vector_extend(&work.done, order->count);
    run_with_few_switches(&work, order->count);
    for (size_t i = 0; i < work.result.count; i++)
        work.result.items[i] = order->items[work.result.items[i]];
    ser_vector_free(order);
    *order = work.result;
    for (size_t i = 0; i < work.lanes.count; i++)
        ser_vector_free(&work.lanes.items[i].places);
    ser_vector_free(&work.lanes);
    ser_vector_free(&work.done);
    ser_vector_free(&edges.first);
    ser_vector_free(&edges.sources);
}

void ser_witness_minimise(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count, bool spares_changes)
{
    drop_unneeded(run, order, needed, needed_count, spares_changes);
    linearize(run, order);
}
