/* SPDX-License-Identifier: MIT */
/*
 * Serial mode: ring 0 as it is. Parallel mode: definitions from ring 0 first, then a merge of the
 * others by (clock, thread) up to the place below which nothing more can come. The merge takes from
 * one ring as long as it is below all others, so that rings are compared once for a run of records,
 * not for each record; and rings are in a heap, so that only a few of thousands are compared.
 */
#include "record/capture/drain.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MASK = SER_RING_RECORDS - 1 };

/* A place in the order of the run. */
typedef struct place {
    uint64_t clock;
    uint32_t thread;
} place;

/* A ring as it was seen, and how far it is taken. */
typedef struct ring_view {
    ser_ring *ring;
    uint64_t at, head;
    bool open; /* more may come */
    place next;
    place first; /* in the merge: of the first record that is left */
} ring_view;

static bool is_before(place a, place b)
{
    return a.clock < b.clock || (a.clock == b.clock && a.thread < b.thread);
}

static const ser_record *record_at(const ser_ring *ring, uint64_t at)
{
    return &ring->records[at & MASK];
}

/* How many records stand together at a place: the first, and what follows it. */
static uint64_t length_at(const ring_view *lane)
{
    const ser_record *record = record_at(lane->ring, lane->at);
    if (record->op == SER_RAW_TEXT)
        return 1 + record->value / sizeof(ser_record) + (record->value % sizeof(ser_record) != 0);
    if (record->op < SER_RAW_FIRST && record->size > 8 && lane->at + 1 < lane->head &&
        record_at(lane->ring, lane->at + 1)->op == SER_RAW_CHUNK)
        return 2;
    return 1;
}

static void give(const ring_view *lane, uint64_t end, ser_drain_sink sink, void *context)
{
    for (uint64_t at = lane->at; at < end;) {
        uint64_t stop = (at | MASK) + 1;
        stop = stop < end ? stop : end;
        sink(context, record_at(lane->ring, at), stop - at);
        at = stop;
    }
}

/* The writer may be waiting for room. */
static void release(ser_ring *ring, uint64_t tail)
{
    __atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
    __atomic_fetch_add(&ring->room, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &ring->room, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The program writes the heads: a wrong one is cut to what a ring can hold. */
static uint64_t load_head(const ser_ring *ring, uint64_t tail)
{
    uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    return head - tail <= SER_RING_RECORDS ? head : tail;
}

/* Gives cache lines back to memory that this processor has read and that the program will write
 * next. As long as they are cached here, the program waits for them to be taken from here: 5 to
 * 50 ns per record, by where the two processors are, and 2 to 4 from memory. */
#if defined __x86_64__
static bool ask_for_clflushopt(void)
{
    enum { FEATURES = 7, CLFLUSHOPT = 1 << 23 };
    uint32_t most = 0, a = FEATURES, b, c = 0, d;
    __asm__("cpuid" : "+a"(most), "=b"(b), "+c"(c), "=d"(d));
    c = 0;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return most >= FEATURES && (b & CLFLUSHOPT);
}

/* Asking takes long in a virtual machine. */
static bool has_clflushopt(void)
{
    enum { UNKNOWN, NO, YES };
    static int answer;
    int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
    if (known == UNKNOWN) {
        known = ask_for_clflushopt() ? YES : NO;
        __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
    }
    return known == YES;
}

__attribute__((target("clflushopt"))) static void evict_lines(const char *from, const char *to)
{
    enum { LINE = 64 };
    for (; to - from >= LINE; from += LINE) /* the program may just be writing the last one */
        __builtin_ia32_clflushopt(from);
}

static void evict(const ring_view *lane, uint64_t end)
{
    if (!has_clflushopt())
        return;
    for (uint64_t at = lane->at; at < end;) {
        uint64_t stop = (at | MASK) + 1;
        stop = stop < end ? stop : end;
        const ser_record *first = record_at(lane->ring, at);
        evict_lines((const char *)first, (const char *)(first + (stop - at)));
        at = stop;
    }
}
#else
static void evict(const ring_view *lane, uint64_t end)
{
    (void)lane, (void)end;
}
#endif

static uint64_t take_all(ser_ring *ring, ser_drain_sink sink, void *context)
{
    ring_view lane = {.ring = ring, .at = ring->tail};
    lane.head = load_head(ring, lane.at);
    if (lane.head == lane.at)
        return 0;
    give(&lane, lane.head, sink, context);
    evict(&lane, lane.head);
    release(ring, lane.head);
    return lane.head - lane.at;
}

/* --- parallel mode -------------------------------------------------------- */

/* Where the next record of a lane stands; behind everything if it has none. */
static place place_of(const ring_view *lane)
{
    if (lane->at == lane->head)
        return (place){UINT64_MAX, UINT32_MAX};
    const ser_record *record = record_at(lane->ring, lane->at);
    return (place){record->clock, record->thread};
}

static size_t look_at_rings(ser_channel *channel, ring_view *lanes)
{
    size_t count = 0;
    for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++) {
        ser_ring *ring = &channel->rings[i];
        uint32_t claimed = __atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE);
        uint64_t next = __atomic_load_n(&ring->next_clock, __ATOMIC_ACQUIRE);
        lanes[count++] = (ring_view){
            .ring = ring, .at = ring->tail, .open = claimed == 1, .next = {next, ring->thread}};
    }
    for (size_t i = 0; i < count; i++)
        lanes[i].head = load_head(lanes[i].ring, lanes[i].at);
    return count;
}

/* Below it nothing more can come. */
static place find_bound(const ring_view *lanes, size_t count, bool dead)
{
    place bound = {UINT64_MAX, UINT32_MAX};
    for (size_t i = 0; i < count && !dead; i++)
        if (lanes[i].open && is_before(lanes[i].next, bound))
            bound = lanes[i].next;
    return bound;
}

/* A ring may have been claimed after it was passed, by a thread whose parent's clock was
 * looked at later: its records come after what the parent had published by then, and so
 * may be below the bound. */
static place lower_by_new_rings(ser_channel *channel, place bound)
{
    for (uint32_t i = 1; ser_ring_was_claimed(channel, i); i++) {
        const ser_ring *ring = &channel->rings[i];
        if (__atomic_load_n(&ring->claimed, __ATOMIC_ACQUIRE) != 1)
            continue;
        place next = {__atomic_load_n(&ring->next_clock, __ATOMIC_ACQUIRE), ring->thread};
        if (is_before(next, bound))
            bound = next;
    }
    return bound;
}

/* Are the next `count` records of a lane there, and below a place? */
static bool are_below(const ring_view *lane, uint64_t at, uint64_t count, place before)
{
    if (count > lane->head - at)
        return false;
    const ser_record *last = record_at(lane->ring, at + count - 1);
    return is_before((place){last->clock, last->thread}, before);
}

/* Where from `at` on the records end that are below a place. Places of a ring rise, so that steps
 * can be taken that double, and then halve again. */
static uint64_t end_below(const ring_view *lane, uint64_t at, place before)
{
    uint64_t step = 1;
    for (; are_below(lane, at, step, before); step *= 2)
        at += step;
    for (; step > 0; step /= 2)
        if (are_below(lane, at, step, before))
            at += step;
    return at;
}

/* Takes from the lane what is below a place, and its first record in any case: another lane
 * may have one of the same place, as in reports of a deadlock. */
static uint64_t take_run(ring_view *lane, place before, ser_drain_sink sink, void *context)
{
    uint64_t start = lane->at, first = length_at(lane);
    if (first > lane->head - start)
        return 0;
    uint64_t end = end_below(lane, start + first, before);
    give(lane, end, sink, context);
    lane->at = end;
    return end - start;
}

/* They have no clock. Whole ones only: records of other rings come between this
 * call and the next. */
static uint64_t take_definitions(ser_ring *ring, ser_drain_sink sink, void *context)
{
    ring_view lane = {.ring = ring, .at = ring->tail}, ahead;
    lane.head = load_head(ring, lane.at);
    uint64_t length;
    for (ahead = lane; ahead.at < ahead.head; ahead.at += length) {
        length = length_at(&ahead);
        if (length > ahead.head - ahead.at)
            break;
    }
    give(&lane, ahead.at, sink, context);
    if (ahead.at > lane.at)
        release(ring, ahead.at);
    return ahead.at - lane.at;
}

/* Of equal ones, that of the lower ring. */
static bool is_lower(const ring_view *a, const ring_view *b)
{
    return is_before(a->first, b->first) || (!is_before(b->first, a->first) && a < b);
}

static void sift_down(ring_view **heap, size_t count, size_t at)
{
    ring_view *lane = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_lower(heap[child + 1], heap[child]);
        if (is_lower(lane, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = lane;
}

/* The lanes that have something below the bound, the lowest on top; how many. */
static size_t make_heap(ring_view **heap, ring_view *lanes, size_t count, place bound)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        lanes[i].first = place_of(&lanes[i]);
        if (is_before(lanes[i].first, bound))
            heap[used++] = &lanes[i];
    }
    for (size_t i = used / 2; i-- > 0;)
        sift_down(heap, used, i);
    return used;
}

/* The lowest place of all lanes but that on top; or the bound. */
static place find_second(ring_view *const *heap, size_t count, place bound)
{
    for (size_t i = 1; i < count && i <= 2; i++)
        if (is_before(heap[i]->first, bound))
            bound = heap[i]->first;
    return bound;
}

static uint64_t merge(ring_view *lanes, size_t count, place bound, ser_drain_sink sink,
                      void *context)
{
    ring_view *heap[SER_CHANNEL_RINGS];
    size_t used = make_heap(heap, lanes, count, bound);
    uint64_t taken = 0, run = 1;
    while (run > 0 && used > 0) {
        run = take_run(heap[0], find_second(heap, used, bound), sink, context);
        taken += run;
        heap[0]->first = place_of(heap[0]);
        if (!is_before(heap[0]->first, bound))
            heap[0] = heap[--used];
        if (used > 0)
            sift_down(heap, used, 0);
    }
    return taken;
}

static uint64_t drain_parallel(ser_channel *channel, bool dead, ser_drain_sink sink, void *context)
{
    ring_view lanes[SER_CHANNEL_RINGS];
    size_t count = look_at_rings(channel, lanes);
    place bound = find_bound(lanes, count, dead);
    if (!dead)
        bound = lower_by_new_rings(channel, bound);
    uint64_t taken = take_definitions(&channel->rings[0], sink, context);
    taken += merge(lanes, count, bound, sink, context);
    for (size_t i = 0; i < count; i++)
        if (lanes[i].at != lanes[i].ring->tail)
            release(lanes[i].ring, lanes[i].at);
    return taken;
}

uint64_t ser_drain(ser_channel *channel, bool dead, ser_drain_sink sink, void *context)
{
    if (channel->parallel)
        return drain_parallel(channel, dead, sink, context);
    return take_all(&channel->rings[0], sink, context);
}
