/* SPDX-License-Identifier: MIT */
/*
 * Clocks of threads, and why the merge of rings never stalls.
 *
 * The recorder can take records only below the smallest next_clock. A thread that
 * computes, sleeps or waits would hold the others back. So a thread whose ring is
 * full pushes: it raises `floor` of all others, lets every processor pass a
 * barrier, and then raises next_clock of those that are not inside. If one was not
 * inside at the barrier, it enters later, and reads its floor after it has set
 * `inside`: its next clock is at least that high. If one is inside, it will leave
 * soon and publish by itself, or it waits for room, where it catches up.
 *
 * A thread that records little would not fill its ring for minutes, and a recorder that analyses
 * the run while it goes on waits for it. So the watchdog pushes, too, now and then.
 */
#include "runtime/core/records/clocks.h"

#include <linux/membarrier.h>
#include <sys/mman.h>

#include "runtime/core/records/elided.h"

static ser_runtime_world *const world = &ser_the_world;

enum { LOOK_AGAIN = 1024 }; /* records after which the slow path is taken once */

static bool membarrier(long command)
{
    return ser_sys(SYS_membarrier, command, 0, 0, 0, 0, 0) == 0;
}

#if defined(__x86_64__)
/* A substitute for membarrier: a page is made read-only, so that the kernel must flush its entry
 * from the TLB of every processor that runs one of our threads. It interrupts them for that,
 * which is a barrier there, and waits. */
static bool interrupt_all(void)
{
    enum { PAGE = 4096 };
    static ser_lock lock;
    static uint8_t *page;
    ser_lock_take(&lock);
    if (!page)
        page = ser_map(PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (page)
        *(volatile uint8_t *)page = 1; /* so that there is a TLB entry to flush */
    bool done = page && ser_sys(SYS_mprotect, (long)page, PAGE, PROT_READ, 0, 0, 0) == 0 &&
                ser_sys(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0) == 0;
    ser_lock_give(&lock);
    return done;
}
#else
static bool interrupt_all(void)
{
    return false; /* these processors flush without an interrupt */
}
#endif

bool ser_clocks_start(void)
{
    return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) || interrupt_all();
}

/* Programs may disable the system call while they run (seccomp). If the substitute fails, too,
 * the order of later events is not known in parallel mode. */
void ser_clocks_barrier(void)
{
    if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) && !interrupt_all() && world->parallel)
        ser_stop_recording();
}

void ser_clocks_rise_above_all(ser_thread *me)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (world->threads[i] != me)
            ser_clocks_rise_to(me,
                               __atomic_load_n(&world->threads[i]->clock, __ATOMIC_RELAXED) + 1);
}

void ser_clocks_tick(ser_thread *me)
{
    if (world->parallel)
        me->clock++;
}

/* Updates the number of operations of all threads. */
static void look_at_run(ser_thread *me)
{
    uint64_t operations = ser_stamp_operation(me->stamp);
    uint64_t run =
        __atomic_add_fetch(&world->operations, operations - me->looked_at, __ATOMIC_RELAXED);
    me->looked_at = operations;
    ser_keeping_look(me, run);
}

static void look_around(ser_thread *me)
{
    uint64_t tail = __atomic_load_n(&me->ring->tail, __ATOMIC_ACQUIRE);
    uint64_t used = me->ring->head - tail;
    if (ser_unlikely(used > SER_RING_RECORDS / 4 && me->ring->head >= me->kick_at)) {
        ser_ring_kick();
        me->kick_at = me->ring->head + SER_PERIOD;
    }
    if (ser_unlikely(used > SER_RING_RECORDS - SER_ROOM))
        ser_ring_await_room(me);
    if (ser_unlikely(__atomic_load_n(&world->channel->stop, __ATOMIC_RELAXED)))
        ser_stop_recording();
    uint64_t room_end = me->ring->tail + SER_RING_RECORDS - SER_ROOM;
    uint64_t look_again = me->ring->head + LOOK_AGAIN;
    bool fast = world->recording && !me->ignoring;
    uint64_t end = room_end < look_again ? room_end : look_again;
    if (me->keeping & SER_KEEP_AT_FIRST)
        look_at_run(me);
    ser_set_line_limit(me, fast ? end + ser_weight(me) : 0);
}

void ser_clocks_catch_up(ser_thread *me)
{
    ser_raise_own_clock(me);
    if (ser_position(me) >= me->line_limit)
        look_around(me);
    ser_sample_operations(me);
}

static void raise_next_clock(ser_ring *ring, uint64_t seen, uint64_t clock)
{
    if (seen < clock)
        __atomic_compare_exchange_n(&ring->next_clock, &seen, clock, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
}

/* Of all threads but `me`. */
static void push_others(const ser_thread *me, uint64_t clock)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        ser_thread *other = world->threads[i];
        uint64_t floor = __atomic_load_n(&other->floor, __ATOMIC_RELAXED);
        while (other != me && floor < clock &&
               !__atomic_compare_exchange_n(&other->floor, &floor, clock, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            continue;
    }
    ser_clocks_barrier();
    for (uint32_t i = 0; i < count; i++) {
        ser_thread *other = world->threads[i];
        if (other == me || other->state == SER_ENDED || !other->ring)
            continue;
        uint64_t seen = __atomic_load_n(&other->ring->next_clock, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&other->inside, __ATOMIC_ACQUIRE) != SER_INSIDE)
            raise_next_clock(other->ring, seen, clock);
    }
}

void ser_clocks_push(ser_thread *me)
{
    ser_raise_own_clock(me);
    ser_clocks_publish(me);
    push_others(me, me->clock + 1);
}

void ser_clocks_follow(ser_thread *me)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the other side has a barrier for both */
    uint64_t seen = __atomic_load_n(&me->ring->next_clock, __ATOMIC_RELAXED);
    raise_next_clock(me->ring, seen, __atomic_load_n(&me->floor, __ATOMIC_RELAXED));
}

/* No record that the recorder has taken is later than some next_clock, and it takes no more
 * while ours is 0. */
static uint64_t largest_clock(void)
{
    uint64_t largest = 0;
    for (uint32_t i = 1; ser_ring_was_claimed(world->channel, i); i++) {
        uint64_t clock = __atomic_load_n(&world->channel->rings[i].next_clock, __ATOMIC_ACQUIRE);
        if (clock > largest)
            largest = clock;
    }
    return largest;
}

void ser_clocks_push_idle(void)
{
    static uint64_t pushed;
    uint64_t largest = largest_clock();
    if (largest == pushed || !world->recording)
        return;
    push_others(0, largest);
    pushed = largest;
}

static bool is_free(const ser_ring *ring)
{
    return __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE) != 1 &&
           __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) ==
               __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
}

/* True: there is one to claim, or none will come soon. */
static bool is_decided(void)
{
    bool some_left = false;
    for (uint32_t i = 1; i <= world->options.threads; i++) {
        const ser_ring *ring = &world->channel->rings[i];
        if (is_free(ring))
            return true;
        some_left = some_left || __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE) == 2;
    }
    return !some_left || world->thread_limit_reached;
}

void ser_clocks_await_ring(ser_thread *me)
{
    enum { PATIENCE = 5000 };
    static uint32_t never;
    for (int tries = 0; tries < PATIENCE && !is_decided() && world->recording; tries++) {
        ser_lock_give(&world->objects);
        ser_ring_kick();
        ser_clocks_push(me);
        ser_deadline soon = ser_deadline_in(1000);
        ser_futex_wait(&never, 0, &soon, false);
        ser_lock_take(&world->objects);
    }
}

/* Of the first `count` rings; nothing was taken that is later than the clock. */
static ser_ring *claim(uint64_t count, uint32_t thread, uint64_t *clock)
{
    for (uint64_t i = 1; i <= count; i++) {
        ser_ring *ring = &world->channel->rings[i];
        if (!is_free(ring))
            continue;
        ring->thread = thread;
        uint64_t last = ring->next_clock;
        __atomic_store_n(&ring->next_clock, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&ring->claimed, 1, __ATOMIC_SEQ_CST);
        uint64_t largest = largest_clock();
        *clock = largest > last ? largest : last;
        __atomic_store_n(&ring->next_clock, *clock + 1, __ATOMIC_RELEASE);
        return ring;
    }
    return 0;
}

ser_ring *ser_clocks_claim_ring(ser_thread *thread)
{
    ser_ring *ring = claim(world->options.threads, thread->number, &thread->clock);
    if (!ring)
        thread->clock = ser_clocks_end_run(world->options.threads);
    return ring;
}

/* No other thread claims the ring behind those for threads. */
uint64_t ser_clocks_end_run(uint64_t most)
{
    static uint64_t end;
    if (world->thread_limit_reached)
        return end;
    ser_ring *ring = claim(world->options.threads + 1, SER_THREADS, &end);
    ring->records[ring->head % SER_RING_RECORDS] = (ser_record){
        .value = most, .clock = ++end, .thread = SER_THREADS, .op = SER_RAW_THREAD_LIMIT};
    __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&ring->claimed, 2, __ATOMIC_RELEASE);
    world->thread_limit_reached = true;
    ser_ring_kick();
    return end;
}
