/* SPDX-License-Identifier: MIT */
/*
 * The token, and sleeping until one gets it. waits.c is about all other waiting.
 *
 * State and queue are under ser_runtime_world.lock. A hand-over makes the other thread
 * the holder, sets its limit, and only then wakes it: when it wakes it has
 * everything, and needs no lock. A thread that waits for an object is woken by
 * being put into the queue; one whose time is over puts itself there, and stays in
 * the object's queue until it has the token and leaves that, too.
 */
#include "runtime/core/turns/token.h"

#include <errno.h>

#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/records/elided.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/watchdog.h"

static ser_runtime_world *const world = &ser_the_world;

uint64_t ser_token_room_end(const ser_ring *ring)
{
    return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) + SER_RING_RECORDS - SER_ROOM;
}

/* How far the run is: records, and what was elided. */
uint64_t ser_token_position(const ser_thread *holder)
{
    return world->ring->head + world->elided + ser_weight(holder) - holder->counted_out;
}

uint64_t ser_token_now(void)
{
    return world->holder ? ser_token_position(world->holder) : world->ring->head + world->elided;
}

/* The thread's turn is over. */
static void count_elided(ser_thread *thread)
{
    ser_sample_operations(thread);
    world->elided += ser_weight(thread) - thread->counted_out;
    thread->counted_out = ser_weight(thread);
}

/* Heads and positions as the fast path compares them: including the thread's elided operations. */
static void set_limit(ser_thread *thread)
{
    uint64_t turn_end = world->turn_end - (world->elided - thread->counted_out);
    uint64_t limit = ser_token_room_end(thread->ring) + ser_weight(thread);
    if (world->wake_at + ser_weight(thread) < limit)
        limit = world->wake_at + ser_weight(thread);
    if (world->turn_end == 0 || turn_end < limit)
        limit = world->turn_end == 0 ? 0 : turn_end;
    ser_set_limit(thread, thread->ignoring ? 0 : limit);
}

static void enqueue(ser_thread *thread)
{
    thread->state = SER_READY;
    thread->ready_turn = world->turn;
    thread->ready_position = ser_token_now();
    thread->next = 0;
    thread->previous = world->last;
    *(world->last ? &world->last->next : &world->first) = thread;
    world->last = thread;
    world->ready++;
}

static void dequeue(ser_thread *thread)
{
    *(thread->previous ? &thread->previous->next : &world->first) = thread->next;
    *(thread->next ? &thread->next->previous : &world->last) = thread->previous;
    world->ready--;
    if (thread == world->urgent) {
        world->urgent = 0;
        thread->urgent_turn = world->turn + 1; /* that begins now */
    }
}

/* The holder's turn ends when it next enters the runtime. Its limit is not 0, which would mean that
 * it has no token: calls of the heap go on. */
static void end_turn_soon(void)
{
    world->turn_end = 0;
    world->hide_end = 0;
    ser_set_limit(world->holder, 1);
}

/* What is elided ends where the schedule wants it to; all else must be counted before the next
 * step, so the turn is over already. */
static void elide_in_replay(ser_thread *thread, uint64_t position)
{
    uint64_t count = ser_replay_elides(thread, position);
    thread->keeping &= ~SER_KEEP_AT_FIRST;
    if (count == 0) {
        thread->keeping |= SER_KEEP_AT_FIRST;
        return;
    }
    world->turn_end = position;
    world->hide_end = thread->stamp + count * SER_STAMP_ONE;
}

static void begin_turn(ser_thread *thread)
{
    world->holder = thread;
    world->turn++;
    thread->state = SER_RUNS;
    thread->ring = world->ring;
    uint64_t position = ser_token_position(thread);
    uint64_t length = ser_policy_turn(thread, position);
    world->turn_end = position + length;
    world->hide_end = ser_elide_until(thread, length);
    ser_keeping_look(thread, position);
    if (ser_replays())
        elide_in_replay(thread, position);
    set_limit(thread);
}

/* Makes the next one of the queue the holder, and wakes it unless it is the caller, which does
 * not sleep yet. */
static void hand_over_from(const ser_thread *asking)
{
    const ser_thread *before = world->holder;
    if (world->holder)
        count_elided(world->holder);
    world->holder = 0;
    if (!world->first && !ser_replays())
        return;
    ser_thread *next = ser_policy_pick();
    if (!next)
        return;
    dequeue(next);
    begin_turn(next);
    ser_log(TOKEN, DEBUG, "T%u has the token, %s%u; turn %u from position %u", next->number,
            ser_log_text(before ? "from T" : "nobody had it: "), before ? before->number : 0,
            world->turn, ser_token_position(next));
    __atomic_store_n(&next->wake, 1, __ATOMIC_RELEASE);
    if (next != asking)
        ser_futex_wake(&next->wake, 1, false);
}

void ser_token_hand_over(void)
{
    hand_over_from(0);
}

void ser_token_make_ready(ser_thread *thread, const ser_thread *asking)
{
    enqueue(thread);
    if (!world->holder)
        hand_over_from(asking);
    else if (thread == world->urgent || ser_policy_gives_way(world->holder))
        end_turn_soon();
}

/* The kernel says that a thread has left its code for good before it says so to the C library,
 * which does not use its stack for another until then. The initial thread stays as long as the
 * process. */
static void await_disappearance(const ser_thread *thread, const ser_deadline *deadline)
{
    struct timespec now;
    int process = world->process;
    for (unsigned tries = 0; thread->tid != (uint32_t)process &&
                             ser_sys(SYS_tgkill, process, thread->tid, 0, 0, 0, 0) == 0;
         tries++) {
        ser_relax_or_sleep(tries);
        ser_now(deadline->clock, &now);
        if (now.tv_sec > deadline->time.tv_sec)
            return;
    }
}

/* After its last record a thread still frees memory of the C library. What others allocate must
 * not depend on how fast it does that. It does not need the token; if it needs something else
 * from the runtime, in destructors of other keys, the wait ends after spin_ms. */
static void await_end_of_last(void)
{
    ser_thread *last = world->ending;
    world->ending = 0;
    const uint32_t *word = (const uint32_t *)&last->end.__data.__lock;
    ser_deadline deadline = ser_deadline_in(world->options.spin_ms * 1000);
    uint32_t seen;
    while ((seen = __atomic_load_n(word, __ATOMIC_ACQUIRE)) && !(seen & FUTEX_OWNER_DIED))
        if (ser_futex_wait(word, seen, &deadline, true) == -ETIMEDOUT)
            return;
    await_disappearance(last, &deadline);
}

void ser_token_sleep(ser_thread *me)
{
    ser_fall_asleep(me);
    if (ser_unlikely(me->defers))
        ser_the_platform.handles_deferred(me);
    while (!__atomic_load_n(&me->wake, __ATOMIC_ACQUIRE)) {
        if (world->ended)
            ser_the_platform.rests();
        ser_futex_wait(&me->wake, 0, 0, false);
    }
    ser_wake_up(me);
    me->wake = 0;
    if (world->ending)
        await_end_of_last();
    if (me->ring->head >= ser_token_room_end(me->ring))
        ser_ring_await_room(me); /* the previous holder of the token may have used it up */
    ser_handler_wakes_send(me);
}

/* The turn is over. Called with the lock, returns without. */
static void change_turns(ser_thread *me)
{
    if ((world->first || ser_replays()) && ser_policy_gives_way(me)) {
        ser_set_limit(me, 0);
        enqueue(me);
        ser_token_hand_over();
        ser_lock_give(&world->lock);
        ser_token_sleep(me);
        return;
    }
    begin_turn(me);
    ser_lock_give(&world->lock);
}

/* Nothing is written, but turns must end all the same. */
static void count_unwritten(void)
{
    world->elided++;
}

void ser_token_count(ser_thread *me)
{
    if (world->parallel || me->ignoring || ser_replays())
        return;
    ser_lock_take(&world->lock);
    count_unwritten();
    if (world->turn_end > 0)
        set_limit(me);
    ser_lock_give(&world->lock);
}

static void get_token(ser_thread *me)
{
    ser_lock_take(&world->lock);
    if (world->holder != me) {
        ser_token_make_ready(me, me);
        ser_lock_give(&world->lock);
        ser_token_sleep(me);
        return;
    }
    if (me->ignoring)
        count_unwritten();
    if (ser_token_position(me) >= world->turn_end) {
        change_turns(me);
        return;
    }
    set_limit(me);
    ser_lock_give(&world->lock);
}

void ser_token_step(ser_thread *me)
{
    get_token(me);
    uint64_t head = me->ring->head;
    if (head < world->wake_at && head < ser_token_room_end(me->ring))
        return;
    if (head >= world->wake_at) {
        ser_ring_kick();
        world->wake_at = head + SER_PERIOD;
    }
    if (head >= ser_token_room_end(me->ring))
        ser_ring_await_room(me);
    ser_lock_take(&world->lock);
    set_limit(me);
    ser_lock_give(&world->lock);
}

/* With ser_runtime_world.lock. */
static void go_outside(ser_thread *me)
{
    ser_set_limit(me, 0);
    me->state = SER_OUTSIDE;
    ser_log(TOKEN, DEBUG, "T%u goes outside", me->number);
    if (ser_replays())
        ser_replay_leaves(me);
    ser_token_hand_over();
}

void ser_token_release(ser_thread *me)
{
    if (world->parallel)
        return;
    ser_watchdog_start(); /* the first thread may never arrive where a schedule expects it */
    ser_lock_take(&world->lock);
    go_outside(me);
    ser_lock_give(&world->lock);
}

void ser_token_let_go(ser_thread *me)
{
    if (world->parallel)
        return;
    ser_watchdog_start();
    ser_lock_take(&world->lock);
    if (world->holder == me)
        go_outside(me);
    ser_lock_give(&world->lock);
}

void ser_token_yield(ser_thread *me)
{
    if (world->parallel || ser_replays())
        return;
    ser_lock_take(&world->lock);
    ser_policy_yields(me);
    if (!world->first) {
        ser_lock_give(&world->lock);
        return;
    }
    ser_set_limit(me, 0);
    enqueue(me);
    ser_token_hand_over();
    ser_lock_give(&world->lock);
    ser_token_sleep(me);
}

void ser_token_be_next(ser_thread *thread)
{
    if (!world->parallel && !ser_replays() && !world->urgent)
        world->urgent = thread;
}

void ser_token_prefer(ser_thread *thread)
{
    if (world->parallel)
        return;
    ser_lock_take(&world->lock);
    if (thread->state == SER_READY && world->holder) {
        ser_token_be_next(thread);
        if (thread == world->urgent)
            end_turn_soon();
    }
    ser_lock_give(&world->lock);
}

void ser_token_admit(ser_thread *thread)
{
    ser_lock_take(&world->lock);
    world->living++;
    ser_policy_admit(thread);
    if (world->parallel) {
        thread->state = SER_RUNS;
        __atomic_store_n(&thread->wake, 1, __ATOMIC_RELEASE);
        ser_futex_wake(&thread->wake, 1, false);
    } else {
        ser_token_make_ready(thread, 0);
    }
    ser_lock_give(&world->lock);
}

void ser_token_admit_outside(ser_thread *thread)
{
    ser_lock_take(&world->lock);
    world->living++;
    ser_policy_admit(thread);
    thread->state = world->parallel ? SER_RUNS : SER_OUTSIDE;
    ser_lock_give(&world->lock);
}

void ser_token_await_first(ser_thread *me)
{
    ser_token_sleep(me);
}

void ser_token_end(ser_thread *me)
{
    ser_lock_take(&world->lock);
    me->state = SER_ENDED;
    world->living--;
    if (!world->parallel) {
        ser_set_limit(me, 0);
        world->ending = me;
        ser_token_hand_over();
    }
    ser_lock_give(&world->lock);
}
