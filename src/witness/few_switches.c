/* SPDX-License-Identifier: MIT */
/*
 * Each thread is a lane that runs as far as its dependencies let it. Lanes in their turns give an
 * order; a bounded search looks for one with fewer turns.
 */
#include "witness/few_switches.h"

#include "witness/dependencies.h"

enum {
    MOST_TRIES =
        1 << 23, /* of lanes and edges, beyond what every order needs: tenths of a second */
    MOST_SEARCHED = 1000, /* lanes: the search calls itself once for each turn */
};

/* The places of one thread's events, and how many of them have run. */
typedef struct lane {
    ser_event_list places;
    size_t done;
} lane;

typedef struct linearization {
    const ser_dependencies *edges;
    SER_VECTOR(lane) lanes;
    SER_VECTOR(bool) done; /* by place */
    ser_event_list result; /* places */
    uint64_t tries;        /* that are left */
} linearization;

static void count_tries(linearization *work, uint64_t count)
{
    work->tries -= count < work->tries ? count : work->tries;
}

static bool can_run(linearization *work, uint32_t place)
{
    const ser_dependencies *edges = work->edges;
    uint32_t first = edges->first.items[place], end = edges->first.items[place + 1], j = first;
    while (j < end && work->done.items[edges->sources.items[j]])
        j++;
    count_tries(work, j - first);
    return j == end;
}

/* Lets a lane run as long as it can; how far it gets. */
static size_t run_lane(linearization *work, lane *running)
{
    size_t before = running->done;
    if (work->tries == 0)
        return 0;
    count_tries(work, 1);
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
    SER_VECTOR(uint32_t)
    lane_of = {0}; /* 1 + its lane; lanes are in the order in which threads begin */
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
    while (work->result.count < count && work->tries > 0)
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

/* The minimum of turns, unless the search for it takes much longer than a round-robin order. False
 * if that takes too long already: many threads that wait for each other. */
static bool run_with_few_switches(linearization *work, size_t count)
{
    uint64_t budget = work->lanes.count <= MOST_SEARCHED ? 8 * (uint64_t)count : 0;
    uint64_t tries = MOST_TRIES + 4 * ((uint64_t)count + work->edges->sources.count);
    work->tries = tries;
    size_t most = run_around(work, count);
    if (work->result.count < count)
        return false;
    uint64_t needed = tries - work->tries;
    start_again(work);
    for (size_t turns = work->lanes.count; turns < most && budget > 0 && work->tries > 0; turns++)
        if (run_in_turns(work, count, turns, SIZE_MAX, &budget))
            return true;
    start_again(work);
    work->tries = needed + 1;
    run_around(work, count);
    return true;
}

void ser_order_with_few_switches(const ser_run *run, ser_event_list *order)
{
    ser_dependencies edges = {0};
    linearization work = {.edges = &edges};
    ser_dependencies_find(&edges, run, order);
    fill_lanes(&work, run, order);
    ser_vector_extend(&work.done, order->count);
    if (run_with_few_switches(&work, order->count)) {
        for (size_t i = 0; i < work.result.count; i++)
            work.result.items[i] = order->items[work.result.items[i]];
        ser_vector_free(order);
        *order = work.result;
    } else {
        ser_vector_free(&work.result);
    }
    for (size_t i = 0; i < work.lanes.count; i++)
        ser_vector_free(&work.lanes.items[i].places);
    ser_vector_free(&work.lanes);
    ser_vector_free(&work.done);
    ser_dependencies_fini(&edges);
}
