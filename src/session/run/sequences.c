/* SPDX-License-Identifier: MIT */
#include "session/run/sequences.h"

#include <stdlib.h>

#include "explore/strides.h"

enum {
    ALL_ORDERS_OF = 4, /* threads: there are 24 */
    MOST_SEQUENCES = 24,
    SHORTEST = 200, /* steps that a thread may make at once, at least: it may wait in a loop */
};

bool ser_run_awaits_all(const ser_run *run)
{
    size_t open = 0;
    for (uint32_t i = 1; i <= run->count; i++) {
        open += ser_op_forks((ser_op)run->events[i].op);
        open -= ser_op_joins((ser_op)run->events[i].op);
    }
    return open == 0;
}

/* How many events of the first thread there are up to its last fork; 0: it creates none. */
static size_t find_last_fork(const ser_run *run, const ser_event_list *events)
{
    size_t count = events->count;
    while (count > 0 && !ser_op_forks((ser_op)run->events[events->items[count - 1]].op))
        count--;
    return count;
}

/* Does the first thread access shared data before it waits for the others or ends? */
static bool takes_part(const ser_run *run, uint32_t first, size_t from)
{
    const ser_event_list *events = &run->threads.items[first].events;
    ser_variable_flags used = {0};
    bool found = false;
    ser_variables_find_used(run, first, &used);
    for (size_t i = from; i + 1 < events->count && !found; i++) {
        const ser_event *event = &run->events[events->items[i]];
        if (ser_op_joins((ser_op)event->op))
            break;
        found = ser_op_is_access((ser_op)event->op) && event->object < used.count &&
                used.items[event->object];
    }
    ser_vector_free(&used);
    return found;
}

static uint64_t count_orders(size_t threads)
{
    uint64_t orders = 1;
    for (size_t i = 2; i <= threads && i <= ALL_ORDERS_OF; i++)
        orders *= i;
    return orders < MOST_SEQUENCES ? orders : MOST_SEQUENCES;
}

/* Threads are numbered in the order of creation, and those of the first thread are created
 * first. */
static void add_threads(ser_sequences *sequences, const ser_run *run, const ser_event_list *events,
                        size_t until)
{
    uint32_t number = 0;
    for (size_t i = 0; i < until; i++)
        if (ser_op_forks((ser_op)run->events[events->items[i]].op)) {
            number++;
            ser_vector_push(&sequences->threads, number);
        }
}

/* If a thread takes another path its turn is lost, and the next turn follows. */
static void add_turn(ser_turn_list *turns, ser_turn turn, uint32_t longest)
{
    turn.most = longest;
    turn.following = 0;
    for (size_t i = turns->count; i > 0; i--)
        if (turns->items[i - 1].thread == turn.thread) {
            turns->items[i - 1].following = (uint32_t)turns->count + 1;
            break;
        }
    ser_vector_push(turns, turn);
}

/* The turn ends at a place that the thread never reaches, so that it runs as far as it can. */
static void add_whole(ser_sequences *sequences, uint32_t thread)
{
    ser_turn turn = {.thread = thread, .times = 1};
    if (thread == 0 && sequences->ends_early)
        turn = (ser_turn){.until = sequences->until_end};
    add_turn(&sequences->turns, turn, sequences->longest);
}

/* The first thread's own part of the program begins when it has created the others. */
static void let_take_part(ser_sequences *sequences, uint64_t creation)
{
    uint32_t number = 0;
    sequences->takes_part = true;
    sequences->creation = creation;
    ser_vector_push(&sequences->threads, number);
    sequences->orders = count_orders(sequences->threads.count);
    sequences->tried = 0;
}

/* The steps of the first thread until all threads are created; or until its end, if it accesses
 * nothing shared before. That may be seen only in a later run: if the first thread does not wait
 * for the others, they may not have begun before it ended the program. */
static void plan_creation(ser_sequences *sequences, const ser_run *run, uint32_t first,
                          size_t until)
{
    const ser_event_list *events = &run->threads.items[first].events;
    uint64_t *numbers = ser_operation_numbers(run);
    uint64_t creation = numbers[events->items[until - 1]];
    if (sequences->creation == 0) {
        if (sequences->ends_early && events->count > 1)
            sequences->until_end = numbers[events->items[events->count - 2]];
        sequences->creation = creation < sequences->until_end ? sequences->until_end : creation;
    }
    if (!sequences->takes_part && takes_part(run, first, until))
        let_take_part(sequences, creation);
    free(numbers);
}

/* The first thread, and how many events it has up to its last fork. False: it creates none. */
static bool find_creation(const ser_run *run, uint32_t *first, size_t *until)
{
    if (!ser_run_find_thread(run, 0, first))
        return false;
    *until = find_last_fork(run, &run->threads.items[*first].events);
    return *until > 0;
}

void ser_sequences_begin(ser_sequences *sequences, const ser_run *run)
{
    uint32_t first;
    size_t until;
    if (!find_creation(run, &first, &until))
        return;
    sequences->ends_early = !ser_run_awaits_all(run);
    add_threads(sequences, run, &run->threads.items[first].events, until);
    sequences->orders = count_orders(sequences->threads.count);
    sequences->longest = run->count > SHORTEST ? 2 * run->count : SHORTEST;
    plan_creation(sequences, run, first, until);
}

static void learn_creation(ser_sequences *sequences, const ser_run *run)
{
    uint32_t first;
    size_t until;
    if (sequences->creation && sequences->ends_early && !sequences->takes_part &&
        find_creation(run, &first, &until))
        plan_creation(sequences, run, first, until);
}

/* Of the first run in which two threads make some. The first ones are enough to meet everywhere,
 * and many turns would take long. */
static void learn_strides(ser_sequences *sequences, const ser_run *run)
{
    enum { MOST_STRIDES = 64 };
    if (sequences->striding > 1 || sequences->creation == 0)
        return;
    uint64_t *numbers = ser_operation_numbers(run);
    sequences->strides.count = 0;
    sequences->striding = 0;
    for (uint32_t i = 0; i < run->threads.count; i++) {
        const ser_run_thread *thread = &run->threads.items[i];
        ser_event_list ends = {0};
        if (thread->number > 0 && thread->number != SER_NO_OBJECT && thread->events.count)
            ser_strides_find(run, i, &ends);
        sequences->striding += ends.count > 0;
        for (uint32_t j = 0; j < ends.count && j < MOST_STRIDES; j++) {
            const ser_stride stride = {thread->number, j, numbers[ends.items[j]]};
            ser_vector_push(&sequences->strides, stride);
        }
        ser_vector_free(&ends);
    }
    free(numbers);
}

void ser_sequences_learn(ser_sequences *sequences, const ser_run *run)
{
    ser_interruption_list list = {0};
    learn_creation(sequences, run);
    learn_strides(sequences, run);
    if (!sequences->known)
        sequences->known = ser_names_create();
    ser_interruptions_find(run, sequences->known, &list);
    uint64_t *numbers = list.count ? ser_operation_numbers(run) : NULL;
    for (size_t i = 0; i < list.count; i++) {
        const ser_interruption *found = &list.items[i];
        uint32_t before = found->wait ? found->wait : ser_run_previous(run, found->stop);
        const ser_stopped_thread stop = {.thread = run->threads.items[found->thread].number,
                                         .other = run->threads.items[found->other].number,
                                         .waker = run->threads.items[found->waker].number,
                                         .waits = found->wait != 0,
                                         .steps = before ? numbers[before] : 0};
        if (stop.steps)
            ser_vector_push(&(found->splits ? &sequences->splitting : &sequences->other)->stops,
                            stop);
    }
    free(numbers);
    ser_vector_free(&list);
}

void ser_sequences_fini(ser_sequences *sequences)
{
    ser_vector_free(&sequences->threads);
    ser_vector_free(&sequences->turns);
    ser_vector_free(&sequences->strides);
    ser_vector_free(&sequences->splitting.stops);
    ser_vector_free(&sequences->other.stops);
    ser_names_destroy(sequences->known);
}

static void start_with_creation(ser_sequences *sequences)
{
    sequences->turns.count = 0;
    add_turn(&sequences->turns, (ser_turn){.until = sequences->creation}, sequences->longest);
}

/* The digits of the order's number (factorial base) select the next of the remaining threads. */
bool ser_sequences_next_order(ser_sequences *sequences)
{
    size_t left = sequences->threads.count;
    if (sequences->tried == sequences->orders || sequences->creation == 0)
        return false;
    uint64_t number = sequences->tried++;
    SER_VECTOR(uint32_t) threads = {0};
    start_with_creation(sequences);
    for (size_t i = 0; i < left; i++)
        ser_vector_push(&threads, sequences->threads.items[i]);
    for (; left > 0; left--) {
        size_t chosen = left - 1 - number % left;
        number /= left;
        add_whole(sequences, threads.items[chosen]);
        threads.items[chosen] = threads.items[left - 1];
    }
    ser_vector_free(&threads);
    return true;
}

bool ser_sequences_next_interruption(ser_sequences *sequences)
{
    ser_stop_queue *queue = &sequences->splitting;
    if (queue->tried == queue->stops.count)
        queue = &sequences->other;
    if (queue->tried == queue->stops.count || sequences->creation == 0)
        return false;
    const ser_stopped_thread *next = &queue->stops.items[queue->tried++];
    start_with_creation(sequences);
    add_turn(&sequences->turns, (ser_turn){.thread = next->thread, .until = next->steps},
             sequences->longest);
    if (next->waits)
        add_whole(sequences, next->waker);
    add_whole(sequences, next->other);
    add_whole(sequences, next->thread);
    return true;
}

/* One stride of each, and so on. The other way round, the one that was created last begins. */
static int compare_strides(const void *first, const void *second)
{
    const ser_stride *one = first, *other = second;
    if (one->round != other->round)
        return one->round < other->round ? -1 : 1;
    return one->thread < other->thread ? -1 : one->thread > other->thread;
}

static int compare_backwards(const void *first, const void *second)
{
    const ser_stride *one = first, *other = second;
    if (one->round != other->round)
        return one->round < other->round ? -1 : 1;
    return one->thread > other->thread ? -1 : one->thread < other->thread;
}

bool ser_sequences_next_strides(ser_sequences *sequences)
{
    size_t count = sequences->strides.count;
    const ser_stride *strides = sequences->strides.items;
    if (sequences->striding < 2 || sequences->strode == 2)
        return false;
    bool backwards = sequences->strode++ == 1;
    qsort(sequences->strides.items, count, sizeof *strides,
          backwards ? compare_backwards : compare_strides);
    start_with_creation(sequences);
    for (size_t i = 0; i < count; i++)
        add_turn(&sequences->turns,
                 (ser_turn){.thread = strides[i].thread, .until = strides[i].until},
                 sequences->longest);
    for (size_t i = 0; i < sequences->threads.count; i++)
        add_whole(sequences, sequences->threads.items[i]);
    return true;
}
