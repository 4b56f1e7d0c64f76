/* SPDX-License-Identifier: MIT */
/*
 * The token, and sleeping until one gets it.
 *
 * State and queue are under ser_world.lock. A hand-over makes the other thread
 * the holder, sets its limit, and only then wakes it: when it wakes it has
 * everything, and needs no lock. A thread that waits for an object is woken by
 * being put into the queue; one whose time is over puts itself there, and stays in
 * the object's queue until it has the token and leaves that, too.
 */
#include "runtime/token.h"

#include <errno.h>

#include "runtime/cancel.h"
#include "runtime/knowledge.h"
#include "runtime/lines.h"
#include "runtime/log.h"
#include "runtime/privacy.h"
#include "runtime/replay.h"
#include "runtime/watchdog.h"

static ser_world *const world = &ser_the_world;

static uint64_t room_end(const ser_ring *ring)
{
    return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) + SER_RING_RECORDS - SER_ROOM;
}

/* How far the run is: records, and what was left out. */
uint64_t ser_token_position(const ser_thread *holder)
{
    return world->ring->head + world->left_out + ser_weight(holder) - holder->counted_out;
}

uint64_t ser_token_now(void)
{
    return world->holder ? ser_token_position(world->holder) : world->ring->head + world->left_out;
}

/* The thread's turn is over. */
static void count_left_out(ser_thread *thread)
{
    ser_knowledge_sample(thread);
    world->left_out += ser_weight(thread) - thread->counted_out;
    thread->counted_out = ser_weight(thread);
}

/* Heads and positions as the fast path compares them: with what this thread left out. */
static void set_limit(ser_thread *thread)
{
    uint64_t turn_end = world->turn_end - (world->left_out - thread->counted_out);
    uint64_t limit = room_end(thread->ring) + ser_weight(thread);
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

static void begin_turn(ser_thread *thread)
{
    world->holder = thread;
    world->turn++;
    thread->state = SER_RUNS;
    thread->ring = world->ring;
    uint64_t position = ser_token_position(thread);
    uint64_t length = ser_policy_turn(thread, position);
    world->turn_end = position + length;
    world->hide_end = ser_hide_until(thread, length);
    ser_privacy_look(thread, position);
    set_limit(thread);
}

/* Makes the next one of the queue the holder, and wakes it unless it is the one that asks, and
 * has not gone to sleep yet. */
static void hand_over_from(const ser_thread *asking)
{
    const ser_thread *before = world->holder;
    if (world->holder)
        count_left_out(world->holder);
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

static void hand_over(void)
{
    hand_over_from(0);
}

/* A thread wants to run that does not: it gets the token if nobody has it. It may be the one
 * that asks for it. */
static void make_ready(ser_thread *thread, const ser_thread *asking)
{
    enqueue(thread);
    if (!world->holder)
        hand_over_from(asking);
    else if (thread == world->urgent || ser_policy_gives_way(world->holder))
        end_turn_soon();
}

/* After its last record a thread still gives back memory of the C library. What others
 * allocate must not depend on how fast it does. It does not need the token; should it need
 * something else from us, which only the destructors of other keys could, it is left alone after
 * spin_ms. */
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
}

/* A signal handler may run, and even jump away (ser_token_resume). */
static void fall_asleep(ser_thread *me)
{
    __atomic_store_n(&me->asleep, true, __ATOMIC_RELEASE);
}

static void wake_up(ser_thread *me)
{
    __atomic_store_n(&me->asleep, false, __ATOMIC_RELEASE);
}

static void sleep_until_holder(ser_thread *me)
{
    fall_asleep(me);
    while (!__atomic_load_n(&me->wake, __ATOMIC_ACQUIRE))
        ser_futex_wait(&me->wake, 0, 0, false);
    wake_up(me);
    me->wake = 0;
    if (world->ending)
        await_end_of_last();
    if (me->ring->head >= room_end(me->ring))
        ser_ring_await_room(me); /* whoever had the token before may have used it up */
}

/* The turn is over. Called with the lock, returns without. */
static void change_turns(ser_thread *me)
{
    if ((world->first || ser_replays()) && ser_policy_gives_way(me)) {
        ser_set_limit(me, 0);
        enqueue(me);
        hand_over();
        ser_lock_give(&world->lock);
        sleep_until_holder(me);
        return;
    }
    begin_turn(me);
    ser_lock_give(&world->lock);
}

/* Nothing is written, but turns must end all the same. */
static void count_unwritten(void)
{
    world->left_out++;
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
        make_ready(me, me);
        ser_lock_give(&world->lock);
        sleep_until_holder(me);
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
    if (head < world->wake_at && head < room_end(me->ring))
        return;
    if (head >= world->wake_at) {
        ser_ring_kick();
        world->wake_at = head + SER_PERIOD;
    }
    if (head >= room_end(me->ring))
        ser_ring_await_room(me);
    ser_lock_take(&world->lock);
    set_limit(me);
    ser_lock_give(&world->lock);
}

void ser_token_release(ser_thread *me)
{
    if (world->parallel)
        return;
    ser_watchdog_start(); /* the first thread may never come back where a schedule expects it */
    ser_lock_take(&world->lock);
    ser_set_limit(me, 0);
    me->state = SER_OUTSIDE;
    ser_log(TOKEN, DEBUG, "T%u goes outside", me->number);
    hand_over();
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
    hand_over();
    ser_lock_give(&world->lock);
    sleep_until_holder(me);
}

/* The time at which to look again: the deadline, or sooner if there is reason to poll. While
 * a schedule is followed, it says when the time is over. */
static const ser_deadline *next_look(const ser_wait *how, ser_deadline *soon)
{
    if (how->deadline && __atomic_load_n(&ser_replaying, __ATOMIC_RELAXED)) {
        *soon = ser_deadline_in(how->foreign ? 2000 : 10000);
        return soon;
    }
    if (!how->is_free && !how->foreign)
        return how->deadline;
    *soon = ser_deadline_in(how->foreign ? 2000 : 50000);
    if (!how->deadline)
        return soon;
    struct timespec now;
    ser_now(how->deadline->clock, &now);
    int64_t left = (how->deadline->time.tv_sec - now.tv_sec) * 1000000000 +
                   (how->deadline->time.tv_nsec - now.tv_nsec);
    return left < (how->foreign ? 2000000 : 50000000) ? how->deadline : soon;
}

/* Sleeps until the wake word is set or there is another reason to stop waiting. */
static ser_wakening doze(ser_thread *me, const ser_wait *how)
{
    for (;;) {
        ser_deadline soon;
        const ser_deadline *until = next_look(how, &soon);
        long result = ser_futex_wait(&me->wake, 0, until, false);
        if (__atomic_load_n(&me->wake, __ATOMIC_ACQUIRE))
            return __atomic_load_n(&me->expired, __ATOMIC_RELAXED) ? SER_TIMED_OUT : SER_WOKEN;
        if (result == -ETIMEDOUT && until == how->deadline)
            return SER_TIMED_OUT;
        if (result == -EINTR && how->interruptible)
            return SER_INTERRUPTED;
        if (how->is_free ? how->is_free(how->address) : how->foreign)
            return SER_WOKEN; /* to try again */
    }
}

static void note_wait(ser_thread *me, const ser_wait *how)
{
    me->state = SER_WAITS;
    me->how = how;
    me->woken = me->expired = false;
    me->timed = how->deadline || how->foreign;
    world->waiting += !me->timed;
}

static void note_wake(ser_thread *me)
{
    world->waiting -= !me->timed;
    me->cancellable = false;
}

static ser_wakening wait_serially(ser_thread *me, const ser_wait *how)
{
    ser_lock_take(&world->lock);
    note_wait(me, how);
    ser_set_limit(me, 0);
    hand_over();
    ser_lock_give(&world->lock);
    fall_asleep(me);
    ser_wakening why = doze(me, how);
    wake_up(me);
    ser_lock_take(&world->lock);
    if (me->state == SER_WAITS) {
        note_wake(me);
        make_ready(me, me);
    }
    ser_lock_give(&world->lock);
    sleep_until_holder(me);
    return me->woken ? SER_WOKEN : why;
}

/* With ser_world.objects. */
static void return_from_wait(ser_thread *me)
{
    ser_lines_catch_up(me);
    ser_lock_take(&world->objects);
    if (me->state == SER_WAITS)
        note_wake(me);
    me->state = SER_RUNS;
    me->wake = 0;
    ser_set_line_limit(me, me->line_limit);
}

/* Clocks and room may have to be looked after by others while we sleep: not inside. Nothing is left
 * out meanwhile, by a signal handler: whoever sees that we wait relies on it (owners.c). */
static ser_wakening wait_in_parallel(ser_thread *me, const ser_wait *how)
{
    me->hide_limit = 0;
    ser_compiler_barrier();
    note_wait(me, how);
    ser_lock_give(&world->objects);
    ser_token_send_wakes(me);
    ser_leave(me);
    ser_lines_follow(me);
    ser_wakening why = doze(me, how);
    me->inside = 1;
    ser_compiler_barrier();
    return_from_wait(me);
    return me->woken ? SER_WOKEN : why;
}

/* Where the thread slept is of no account: if it is to be woken it was put into the queue, or has
 * the token, and its wake word tells. */
static void resume_serially(ser_thread *me)
{
    ser_lock_take(&world->lock);
    bool has_token = world->holder == me;
    if (!has_token && me->state != SER_READY) {
        if (me->state == SER_WAITS)
            note_wake(me);
        make_ready(me, me);
    }
    bool sleeps = !has_token || me->wake;
    ser_lock_give(&world->lock);
    if (sleeps)
        sleep_until_holder(me);
}

void ser_token_resume(ser_thread *me)
{
    if (!world->parallel)
        resume_serially(me);
    else if (me->state == SER_WAITS)
        return_from_wait(me);
}

static const char *name_of_wakening(const ser_thread *me, ser_wakening why)
{
    static const char *const names[] = {"woken", "its time is over", "interrupted by a signal",
                                        "cancelled"};
    return names[me->cancelled && !me->woken ? SER_CANCELLED : why];
}

ser_wakening ser_token_wait(ser_thread *me, const ser_wait *how)
{
    ser_watchdog_start();
    me->waiting_site = ser_here(me);
    bool cancellable = (how->cancellable || me->async) && ser_cancel_is_enabled();
    me->cancellable = cancellable;
    me->waits = true;
    ser_log(WAIT, DEBUG, "T%u waits for %x at site %u, %s", me->number, (uintptr_t)how->address,
            me->waiting_site, ser_log_text(how->deadline ? "with a time-out" : "without time-out"));
    ser_wakening why = world->parallel ? wait_in_parallel(me, how) : wait_serially(me, how);
    me->waits = false;
    ser_log(WAIT, DEBUG, "T%u goes on: %s", me->number, ser_log_text(name_of_wakening(me, why)));
    return me->cancelled && cancellable && !me->woken ? SER_CANCELLED : why;
}

static void send_wake(ser_thread *thread)
{
    ser_futex_wake(&thread->wake, 1, false);
}

void ser_token_send_wakes(ser_thread *me)
{
    for (; me->to_wake_count > 0; me->to_wake_count--)
        send_wake(me->to_wake[me->to_wake_count - 1]);
    me->wakes_later = false;
}

void ser_token_send_all_wakes(void)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (__atomic_load_n(&world->threads[i]->wake, __ATOMIC_RELAXED))
            send_wake(world->threads[i]);
}

static void wake_soon(ser_thread *thread)
{
    ser_thread *me = ser_self;
    if (me == &ser_nobody || me == &ser_stranger || me->to_wake_count == SER_TO_WAKE)
        send_wake(thread);
    else
        me->to_wake[me->to_wake_count++] = thread;
}

/* What the thread waits for is free now, and was taken by others often enough: it runs before
 * anybody else can. */
static void be_next(ser_thread *thread)
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
        be_next(thread);
        if (thread == world->urgent)
            end_turn_soon();
    }
    ser_lock_give(&world->lock);
}

/* With the lock that protects states. */
static void rouse(ser_thread *thread)
{
    if (thread->state != SER_WAITS)
        return;
    note_wake(thread);
    if (!world->parallel) {
        make_ready(thread, 0);
        return;
    }
    thread->state = SER_RUNS;
    __atomic_store_n(&thread->wake, 1, __ATOMIC_RELEASE);
    wake_soon(thread);
}

void ser_token_wake(ser_thread *thread)
{
    if (!world->parallel)
        ser_lock_take(&world->lock);
    thread->woken = true;
    ser_log(WAIT, DEBUG, "T%u is woken%s", thread->number,
            ser_log_text(thread->state == SER_WAITS ? "" : ", but waits no more"));
    if (thread->state == SER_WAITS && thread->how->starved)
        be_next(thread);
    rouse(thread);
    if (!world->parallel)
        ser_lock_give(&world->lock);
}

void ser_token_forsake(ser_thread *me)
{
    if (me->state != SER_WAITS)
        return;
    if (!world->parallel)
        ser_lock_take(&world->lock);
    note_wake(me);
    me->state = SER_RUNS;
    if (!world->parallel)
        ser_lock_give(&world->lock);
}

void ser_token_expire(ser_thread *thread)
{
    thread->expired = true;
    rouse(thread);
}

void ser_token_cancel(ser_thread *thread)
{
    if (!world->parallel)
        ser_lock_take(&world->lock);
    thread->cancelled = true;
    if (thread->cancellable)
        rouse(thread);
    if (!world->parallel)
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
        make_ready(thread, 0);
    }
    ser_lock_give(&world->lock);
}

void ser_token_await_first(ser_thread *me)
{
    sleep_until_holder(me);
}

void ser_token_end(ser_thread *me)
{
    ser_lock_take(&world->lock);
    me->state = SER_ENDED;
    world->living--;
    if (!world->parallel) {
        ser_set_limit(me, 0);
        world->ending = me;
        hand_over();
    }
    ser_lock_give(&world->lock);
}

bool ser_token_steal(ser_thread *from)
{
    bool stolen = false;
    ser_lock_take(&world->lock);
    if (world->holder == from && world->first && !ser_replays()) {
        uint64_t limit = from->limit;
        ser_set_limit(from, 0);
        ser_lines_barrier();
        if (__atomic_load_n(&from->inside, __ATOMIC_RELAXED) == SER_INSIDE) {
            ser_set_limit(from, limit); /* its turn ends where it would have */
        } else {
            if (from->ring->head < room_end(from->ring)) {
                ser_pending_write(from);
                ser_put_record(from, 0, 0, ser_tag(SER_RAW_STOLEN, 0, 0));
            }
            from->state = SER_OUTSIDE;
            ser_log(RUNTIME, INFO, "the token is taken from T%u, in turn %u", from->number,
                    world->turn);
            hand_over();
            stolen = true;
        }
    }
    ser_lock_give(&world->lock);
    return stolen;
}

void ser_token_unstick(uint64_t milliseconds)
{
    ser_lock_take(&world->lock);
    ser_thread *holder = world->holder;
    if (holder) {
        ser_set_limit(holder, 0);
        ser_lines_barrier();
    }
    bool idle = !holder || !__atomic_load_n(&holder->inside, __ATOMIC_RELAXED);
    if (ser_replays() && milliseconds >= world->options.replay_ms && idle) {
        ser_replay_give_up();
        if (!holder)
            hand_over();
    }
    ser_lock_give(&world->lock);
}
