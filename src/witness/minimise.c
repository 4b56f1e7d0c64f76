/* SPDX-License-Identifier: MIT */
/*
 * Every event gets edges from the last events it depends on: the one before it in
 * its thread; for a read the last write of the variable, for a write that and the
 * reads since; for lock actions the last action on the lock; likewise for
 * conditions, barriers and semaphores; fork, join and wake-ups. An event's step
 * after a wait depends on the condition, too. All else follows from these.
 */
#include "witness/minimise.h"

#include "base/idmap.h"

/* Edges into one place of the order: sources.items[first .. next place's first). */
typedef struct dependencies {
    SER_VECTOR(uint32_t) first;
    SER_VECTOR(uint32_t) sources;
} dependencies;

typedef struct tracker {
    const ser_run *run;
    dependencies *edges;
    ser_idmap last_of_thread;              /* thread -> 1 + place */
    ser_idmap last_on[SER_SPACE_COUNT];    /* object -> 1 + place of the last action */
    ser_idmap reads;                       /* variable -> 1 + index in read_lists */
    SER_VECTOR(ser_event_list) read_lists; /* places of the reads since the last write */
    uint32_t place;
} tracker;

static void depend_on(tracker *track, uint32_t place_plus_one)
{
    if (place_plus_one && place_plus_one - 1 != track->place)
        ser_vector_push(&track->edges->sources, place_plus_one - 1);
}

/* After the last action on the object, and the last one from now on. */
static void act_on(tracker *track, ser_space space, uint32_t object)
{
    uint32_t *last = ser_idmap_add(&track->last_on[space], object, 0);
    depend_on(track, *last);
    *last = track->place + 1;
}

static ser_event_list *reads_of(tracker *track, uint32_t variable)
{
    uint32_t fresh = (uint32_t)track->read_lists.count + 1;
    return ser_vector_slot(&track->read_lists, *ser_idmap_add(&track->reads, variable, fresh) - 1);
}

static void access_variable(tracker *track, const ser_event *event)
{
    ser_event_list *reads = reads_of(track, event->object);
    if (event->op == SER_OP_READ) {
        depend_on(track, ser_idmap_get(&track->last_on[SER_SPACE_VARIABLE], event->object, 0));
        ser_vector_push(reads, track->place);
        return;
    }
    for (size_t i = 0; i < reads->count; i++)
        depend_on(track, reads->items[i] + 1);
    reads->count = 0;
    act_on(track, SER_SPACE_VARIABLE, event->object);
}

static void depend_on_waking(tracker *track, uint32_t event)
{
    uint32_t previous = ser_run_previous(track->run, event);
    if (previous && track->run->events[previous].op == SER_OP_WAIT)
        act_on(track, SER_SPACE_CONDITION, track->run->events[previous].object);
}

static void add_dependencies(tracker *track, uint32_t number)
{
    const ser_event *event = &track->run->events[number];
    uint32_t *last = ser_idmap_add(&track->last_of_thread, event->thread, 0);
    depend_on(track, *last);
    *last = track->place + 1;
    if (ser_run_previous(track->run, number) == 0)
        depend_on(track, ser_idmap_get(&track->last_on[SER_SPACE_THREAD], event->thread, 0));
    depend_on_waking(track, number);
    switch ((ser_op)event->op) {
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        access_variable(track, event);
        break;
    case SER_OP_FORK:
        act_on(track, SER_SPACE_THREAD, event->object);
        break;
    case SER_OP_JOIN:
        depend_on(track, ser_idmap_get(&track->last_on[SER_SPACE_THREAD], event->object, 0));
        depend_on(track, ser_idmap_get(&track->last_of_thread, event->object, 0));
        break;
    case SER_OP_BEGIN:
    case SER_OP_END:
    case SER_OP_CALL:
    case SER_OP_RETURN:
    case SER_OP_SKIP:
        break;
    default:
        act_on(track, ser_op_space((ser_op)event->op), event->object);
        break;
    }
}

static void find_dependencies(const ser_run *run, const ser_event_list *order, dependencies *edges)
{
    tracker track = {.run = run, .edges = edges};
    for (uint32_t i = 0; i < order->count; i++) {
        track.place = i;
        ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
        add_dependencies(&track, order->items[i]);
    }
    ser_vector_push(&edges->first, (uint32_t)edges->sources.count);
    ser_idmap_fini(&track.last_of_thread);
    ser_idmap_fini(&track.reads);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_idmap_fini(&track.last_on[space]);
    for (size_t i = 0; i < track.read_lists.count; i++)
        ser_vector_free(&track.read_lists.items[i]);
    ser_vector_free(&track.read_lists);
}

/* Leaves out what no needed event depends on. */
static void drop_unneeded(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count)
{
    dependencies edges = {0};
    SER_VECTOR(bool) stays = {0};
    ser_idmap wanted = {0};
    find_dependencies(run, order, &edges);
    ser_vector_extend(&stays, order->count);
    for (size_t i = 0; i < needed_count; i++)
        (void)ser_idmap_add(&wanted, needed[i], 1);
    for (size_t i = order->count; i-- > 0;) {
        stays.items[i] = stays.items[i] || ser_idmap_get(&wanted, order->items[i], 0);
        if (!stays.items[i])
            continue;
        for (uint32_t j = edges.first.items[i]; j < edges.first.items[i + 1]; j++)
            stays.items[edges.sources.items[j]] = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < order->count; i++)
        if (stays.items[i])
            order->items[kept++] = order->items[i];
    order->count = kept;
    ser_idmap_fini(&wanted);
    ser_vector_free(&stays);
    ser_vector_free(&edges.first);
    ser_vector_free(&edges.sources);
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
    ser_idmap lane_of = {0};
    for (uint32_t i = 0; i < order->count; i++) {
        uint32_t fresh = (uint32_t)work->lanes.count;
        uint32_t number = *ser_idmap_add(&lane_of, run->events[order->items[i]].thread, fresh);
        ser_vector_push(&ser_vector_slot(&work->lanes, number)->places, i);
    }
    ser_idmap_fini(&lane_of);
}

/* Another order of the same events, with few switches. */
static void linearize(const ser_run *run, ser_event_list *order)
{
    dependencies edges = {0};
    linearization work = {.edges = &edges};
    find_dependencies(run, order, &edges);
    fill_lanes(&work, run, order);
    ser_vector_extend(&work.done, order->count);
    while (work.result.count < order->count)
        for (size_t i = 0; i < work.lanes.count; i++)
            run_lane(&work, &work.lanes.items[i]);
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
                          size_t needed_count)
{
    drop_unneeded(run, order, needed, needed_count);
    linearize(run, order);
}
