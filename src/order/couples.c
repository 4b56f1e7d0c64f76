/* SPDX-License-Identifier: MIT */
#include "order/couples.h"

void ser_couples_fini(ser_couples *couples)
{
    for (size_t i = 0; i < couples->locks.count; i++)
        ser_vector_free(&couples->locks.items[i].shared);
    for (size_t i = 0; i < couples->barriers.count; i++) {
        ser_vector_free(&couples->barriers.items[i].rounds);
        ser_vector_free(&couples->barriers.items[i].round_of);
    }
    for (size_t i = 0; i < couples->conditions.count; i++)
        ser_vector_free(&couples->conditions.items[i].list);
    for (size_t i = 0; i < couples->semaphores.count; i++)
        ser_vector_free(&couples->semaphores.items[i].posts);
    ser_vector_free(&couples->last_writes);
    ser_vector_free(&couples->locks);
    ser_vector_free(&couples->barriers);
    ser_vector_free(&couples->conditions);
    ser_vector_free(&couples->semaphores);
    ser_vector_free(&couples->waits);
    ser_vector_free(&couples->held);
}

/* Index of the first notify after the wait. */
static size_t first_after(const ser_event_list *notifies, uint32_t wait)
{
    size_t low = 0, high = notifies->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (notifies->items[middle] < wait)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void couple_with_notify(ser_run *run, uint32_t wait, uint32_t notify)
{
    run->couple[wait] = notify;
    run->match[wait] = run->match[notify];
    run->match[notify] = wait;
}

/* The thread takes its next step: which notify woke it from its wait? */
static void couple_wait(ser_couples *couples, ser_run *run, uint32_t thread)
{
    uint32_t *wait = ser_vector_slot(&couples->waits, thread);
    if (!*wait)
        return;
    ser_notifies *condition = &couples->conditions.items[run->events[*wait].object];
    ser_event_list *notifies = &condition->list;
    size_t at = first_after(notifies, *wait);
    if (at < notifies->count) {
        uint32_t notify = notifies->items[at];
        couple_with_notify(run, *wait, notify);
        if (!ser_op_has((ser_op)run->events[notify].op, SER_ALL)) {
            memmove(notifies->items + at, notifies->items + at + 1,
                    (notifies->count - at - 1) * sizeof *notifies->items);
            notifies->count--;
        }
    }
    if (--condition->waiting == 0)
        notifies->count = 0; /* all are before any wait that is still to come */
    *wait = 0;
}

static void find_wait(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_vector_slot(&couples->conditions, run->events[event].object)->waiting++;
    *ser_vector_slot(&couples->waits, run->events[event].thread) = event;
}

static void find_notify(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_notifies *condition = ser_vector_slot(&couples->conditions, run->events[event].object);
    if (condition->waiting)
        ser_vector_push(&condition->list, event);
}

static void find_access(ser_couples *couples, ser_run *run, uint32_t event)
{
    const ser_event *access = &run->events[event];
    uint32_t *last = ser_vector_slot(&couples->last_writes, access->object);
    if (ser_op_reads((ser_op)access->op))
        run->couple[event] = *last;
    if (ser_op_writes((ser_op)access->op))
        *last = event;
}

static uint32_t push_hold(ser_run *run, uint32_t acquire, uint32_t next)
{
    ser_vector_push(&run->holds, ((ser_held){acquire, next}));
    return (uint32_t)run->holds.count - 1;
}

/* The list without the acquires that are released. */
static uint32_t without_released(ser_run *run, uint32_t list)
{
    ser_event_list left = {0};
    for (; list; list = run->holds.items[list].next)
        if (!run->match[run->holds.items[list].acquire])
            ser_vector_push(&left, run->holds.items[list].acquire);
    while (left.count)
        list = push_hold(run, left.items[--left.count], list);
    ser_vector_free(&left);
    return list;
}

/* Critical sections may overlap in any way. A lock that is released below the head of the list
 * stays in the list, since copying all entries before it is too expensive if many locks are held.
 * The number of such entries is bounded by half the number of locks still held, and a few. */
static void drop_hold(ser_thread_holds *own, ser_run *run, uint32_t acquire)
{
    enum { FEW = 4 };
    if (!acquire)
        return;
    own->held--;
    own->released++;
    while (own->list && run->match[run->holds.items[own->list].acquire]) {
        own->list = run->holds.items[own->list].next;
        own->released--;
    }
    run->sections_overlap |= own->released > 0;
    if (own->released <= FEW + own->held / 2)
        return;
    own->list = without_released(run, own->list);
    own->released = 0;
}

static void update_held(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_thread_holds *own = ser_vector_slot(&couples->held, run->events[event].thread);
    ser_op op = (ser_op)run->events[event].op;
    if (ser_op_acquires(op)) {
        own->list = push_hold(run, event, own->list);
        own->held++;
    } else if (ser_op_releases(op)) {
        drop_hold(own, run, run->match[event]);
    }
}

static void release_shared(ser_lock_holds *lock, ser_run *run, uint32_t event)
{
    for (size_t i = 0; i < lock->shared.count; i++) {
        if (lock->shared.items[i].thread != run->events[event].thread)
            continue;
        run->match[event] = lock->shared.items[i].acquire;
        run->match[run->match[event]] = event;
        /* The order stays, so that the last entry is the latest acquire. */
        memmove(&lock->shared.items[i], &lock->shared.items[i + 1],
                (lock->shared.count - i - 1) * sizeof *lock->shared.items);
        lock->shared.count--;
        return;
    }
}

static void find_lock(ser_couples *couples, ser_run *run, uint32_t event)
{
    const ser_event *action = &run->events[event];
    ser_lock_holds *lock = ser_vector_slot(&couples->locks, action->object);
    if (action->flags & SER_EVENT_INNER)
        return;
    ser_op op = (ser_op)action->op;
    if (ser_op_tests(op)) { /* the exclusive holder, else the latest shared one */
        run->failed_tries++;
        run->couple[event] = lock->exclusive;
        if (!lock->exclusive && lock->shared.count)
            run->couple[event] = lock->shared.items[lock->shared.count - 1].acquire;
    } else if (ser_op_acquires(op) && ser_op_is_shared(op)) {
        ser_vector_push(&lock->shared, ((ser_shared_hold){action->thread, event}));
    } else if (ser_op_acquires(op)) {
        lock->exclusive = event;
    } else if (ser_op_is_shared(op)) {
        release_shared(lock, run, event);
    } else {
        run->match[event] = lock->exclusive;
        run->match[lock->exclusive] = event;
        lock->exclusive = 0;
    }
    update_held(couples, run, event);
}

static void find_arrival(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_barrier_rounds *barrier = ser_vector_slot(&couples->barriers, run->events[event].object);
    size_t count = barrier->rounds.count;
    if (!count || barrier->rounds.items[count - 1].closed)
        ser_vector_push(&barrier->rounds, ((ser_barrier_round){event, event, false}));
    ser_barrier_round *round = &barrier->rounds.items[barrier->rounds.count - 1];
    if (round->last != event)
        run->match[round->last] = event;
    round->last = event;
    *ser_vector_slot(&barrier->round_of, run->events[event].thread) =
        (uint32_t)barrier->rounds.count;
}

static void find_departure(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_barrier_rounds *barrier = ser_vector_slot(&couples->barriers, run->events[event].object);
    uint32_t *own = ser_vector_slot(&barrier->round_of, run->events[event].thread);
    uint32_t number = *own ? *own : (uint32_t)barrier->rounds.count;
    *own = 0;
    if (!number)
        return;
    ser_barrier_round *round = &barrier->rounds.items[number - 1];
    round->closed = true;
    run->match[event] = round->first;
}

static void find_post(ser_couples *couples, ser_run *run, uint32_t event)
{
    uint32_t semaphore = run->events[event].object;
    ser_vector_push(&ser_vector_slot(&couples->semaphores, semaphore)->posts, event);
}

static void find_take(ser_couples *couples, ser_run *run, uint32_t event)
{
    ser_post_queue *queue = ser_vector_slot(&couples->semaphores, run->events[event].object);
    if (queue->used < queue->posts.count)
        run->couple[event] = queue->posts.items[queue->used++];
}

void ser_couples_find(ser_couples *couples, ser_run *run, uint32_t event)
{
    const ser_event *now = &run->events[event];
    couple_wait(couples, run, now->thread);
    bool awaits = ser_op_has((ser_op)now->op, SER_AWAITS);
    switch (ser_op_space((ser_op)now->op)) {
    case SER_SPACE_VARIABLE:
        find_access(couples, run, event);
        break;
    case SER_SPACE_LOCK:
        find_lock(couples, run, event);
        break;
    case SER_SPACE_CONDITION:
        (awaits ? find_wait : find_notify)(couples, run, event);
        break;
    case SER_SPACE_BARRIER:
        (awaits ? find_departure : find_arrival)(couples, run, event);
        break;
    case SER_SPACE_SEMAPHORE:
        (awaits ? find_take : find_post)(couples, run, event);
        break;
    default:
        break;
    }
    run->held[event] = ser_vector_slot(&couples->held, now->thread)->list;
}
