/* SPDX-License-Identifier: MIT */
/*
 * A model of what may be elided: runtime_test_model [FROM [TO]], seeds of random runs.
 *
 * Threads access a few words in every way, create and join each other, get new memory, some of it
 * frozen, and hold locks: one thing after the other, as a random number says. All that is done by
 * the runtime itself, from access.c on. The model sees what the recorder sees, and all
 * accesses. From these it knows what each thread knows (exact.h), and says after each access:
 * whatever was elided and is in conflict with it must be known, and, if it is elided itself,
 * whatever is in conflict with it. One run in four is in serial mode.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "runtime/access/access.h"
#include "runtime/elide/frozen.h"
#include "runtime/elide/happens_before.h"
#include "runtime/elide/locals.h"

/* Words are accessed in groups of three: the last two of a line, and the first of the next. */
enum { LINE = 64, GROUPS = 4, LINES = GROUPS + 1, GROUP = LINE - 16, PAGE = 4096 };
static_assert(LINES * LINE <= EXACT_WORDS * 8, "the model has them all");
static_assert((int)EXACT_THREADS > 2 * SER_MANY_TIME, "some share bits in a stamp of several");

ser_runtime_world ser_the_world;
bool ser_is_off, ser_is_paused;
ser_thread ser_nobody, ser_stranger;
__thread ser_thread *ser_self __attribute__((tls_model("initial-exec")));

static ser_runtime_world *const world = &ser_the_world;
static ser_ring *ring;
static char *memory; /* LINES of them, at the beginning of a page */

/* --- what is random ------------------------------------------------------- */

static uint64_t state_of_random;

static unsigned draw(unsigned below)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state_of_random >> 33) % below;
}

static struct {
    uint64_t seed, step;
    unsigned most_threads;
    unsigned writes_one_in;               /* of so many accesses */
    unsigned forks, renews, joins, leaps; /* of a thousand steps */
} run;

static _Noreturn void fail(void)
{
    printf("seed %" PRIu64 ", step %" PRIu64 ", in %s mode, with %u threads\n", run.seed, run.step,
           world->parallel ? "parallel" : "serial", world->thread_count);
    exit(1);
}

/* --- in place of the rest of the runtime ------------------------------------ */

ser_thread *ser_enter_slowly(ser_thread *me)
{
    ser_clocks_catch_up(me); /* in serial mode there is no limit */
    return me;
}

ser_thread *ser_enter_unknown(ser_thread *me)
{
    (void)me;
    abort();
}

uint32_t ser_site_number(ser_thread *me, ser_abi_site *site)
{
    (void)me;
    return site->number;
}

uint32_t ser_code_number(ser_thread *me, uint64_t address)
{
    (void)me, (void)address;
    abort();
}

uint32_t ser_here(ser_thread *me)
{
    (void)me;
    abort();
}

bool ser_local_record(ser_thread *me, uintptr_t word)
{
    (void)me, (void)word;
    abort();
}

void ser_lose(uint64_t count)
{
    (void)count;
    abort();
}

void ser_ring_await_room(ser_thread *me)
{
    (void)me;
    abort();
}

void ser_ring_kick(void)
{
    abort();
}

void ser_stop_recording(void)
{
    abort();
}

void ser_now(clockid_t clock, struct timespec *now)
{
    clock_gettime(clock, now);
}

/* --- accesses ------------------------------------------------------------- */

static uint64_t elided, recorded; /* of all runs */

/* As the recorder would. */
static void read_records(exact_touch *now)
{
    for (; ring->tail < ring->head; ring->tail++) {
        const ser_record *record = &ring->records[ring->tail % SER_RING_RECORDS];
        size_t at = record->object - (uintptr_t)memory;
        if (record->op == SER_RAW_AFTER)
            exact_learn(now->thread, now->operation, (uint32_t)record->object, record->value);
        else if (record->op == SER_RAW_RENEW)
            now->renewed |= exact_words((exact_span){at, at + record->value});
        else if (record->op == SER_OP_READ || record->op == SER_OP_WRITE ||
                 record->op == SER_OP_RMW)
            now->recorded = (exact_span){at, at + record->size};
    }
}

/* --- what threads do ------------------------------------------------------------ */

/* In a marked block, or no longer. */
static void keep(ser_thread *me, int by)
{
    me->keeping += (uint32_t)by;
    if (world->parallel)
        ser_set_line_limit(me, me->line_limit);
    else
        ser_set_limit(me, me->limit);
}

/* Of the size of a word as most accesses are made, with all short ways; others the general way. */
static void perform(void *address, uint32_t size, ser_access_kind kind)
{
    static ser_abi_site site = {.number = 1};
    ser_runtime_access access = {.kind = kind, .size = size, .address = address};
    if (size == 8 && kind == SER_ACCESS_LOAD)
        __seriatim_load8(address, &site);
    else if (size == 8 && kind == SER_ACCESS_STORE)
        __seriatim_store8(address, 0, &site);
    else if (kind == SER_ACCESS_RMW)
        ser_access_do(&access, &site);
    else
        ser_access_do_words(&access, &site);
}

static void access_something(ser_thread *me)
{
    bool whole = draw(8) > 0, atomic = whole && draw(800) == 0, in_block = draw(400) == 0;
    bool writes = draw(run.writes_one_in) == 0;
    size_t at = (size_t)LINE * draw(GROUPS) + GROUP;
    at += whole ? 8 * draw(3) : draw(8);
    uint32_t size = whole ? 8 : 1 + draw(16);
    if (in_block)
        keep(me, 1);
    perform(memory + at, size,
            atomic   ? SER_ACCESS_RMW
            : writes ? SER_ACCESS_STORE
                     : SER_ACCESS_LOAD);
    if (in_block)
        keep(me, -1);
    exact_touch now = {.thread = me->number,
                       .operation = ser_stamp_operation(me->stamp),
                       .reads = atomic || !writes,
                       .writes = atomic || writes,
                       .bytes = {at, at + size}};
    read_records(&now);
    *(now.recorded.end ? &recorded : &elided) += 1;
    if (!exact_judge(&now))
        fail();
}

/* Something that is recorded in any case, and no access. */
static void make_event(ser_thread *me)
{
    if (world->parallel) {
        ser_clocks_catch_up(me);
        me->clock = (world->clock > me->clock ? world->clock : me->clock) + 1;
        world->clock = me->clock;
    }
    ser_count_recorded(me);
}

/* A few accesses, sometimes in a critical section. */
static void access_some(ser_thread *me)
{
    bool locks = draw(30) == 0;
    if (locks) {
        me->locks = 1;
        me->section = ser_stamp_operation(me->stamp);
        make_event(me);
    }
    for (unsigned left = 1 + draw(6); left > 0; left--)
        access_something(me);
    if (locks)
        make_event(me);
    me->locks = 0;
}

/* As if the other one had ended; it may go on, as after a barrier. */
static void join(ser_thread *me, ser_thread *other)
{
    if (me == other)
        return;
    make_event(other);
    make_event(me);
    ser_learn_all(me, other);
    exact_learn(me->number, ser_stamp_operation(me->stamp) + 1, other->number,
                ser_stamp_operation(other->stamp));
}

static ser_thread *create(void)
{
    ser_thread *thread = aligned_alloc(_Alignof(ser_thread), sizeof *thread);
    if (!thread)
        abort();
    memset(thread, 0, sizeof *thread);
    thread->number = world->thread_count;
    thread->tag = (uint64_t)thread->number << 32;
    thread->ring = ring;
    ser_elision_start(thread);
    ser_keeping_look(thread, 0);
    world->threads[world->thread_count++] = thread;
    return thread;
}

static void fork_from(ser_thread *me)
{
    if (world->thread_count == run.most_threads)
        return;
    make_event(me);
    ser_thread *child = create();
    ser_learn_all(child, me);
    exact_learn(child->number, 0, me->number, ser_stamp_operation(me->stamp));
    child->clock = me->clock;
}

/* A line of new memory, or a block in it; every other line is mapped, as a whole, and mostly for
 * reading only. */
static void renew(ser_thread *me)
{
    unsigned line = draw(LINES), mapped = line % 2 == 0;
    size_t start = (size_t)LINE * line, size = mapped || draw(2) ? LINE : 8;
    ser_shadow_renew((uintptr_t)memory + start, size);
    if (world->parallel) {
        ser_lines_rise(me, (uintptr_t)memory + start, size);
        if (mapped && draw(4) > 0)
            ser_freeze((uintptr_t)memory + start, size);
    }
    exact_forget((exact_span){start, start + size});
}

/* --- runs ------------------------------------------------------------------- */

/* Serial mode: the turn of another one. */
static void hand_over(ser_thread *to)
{
    if (world->parallel || world->holder == to)
        return;
    if (world->holder)
        ser_sample_operations(world->holder);
    world->holder = to;
    world->turn++;
    ser_set_limit(to, UINT64_MAX);
}

static void make_step(ser_thread *me)
{
    unsigned kind = draw(1000);
    ser_self = me;
    hand_over(me);
    if (kind < run.forks)
        fork_from(me);
    else if (kind < run.forks + run.renews)
        renew(me);
    else if (kind < run.forks + run.renews + run.joins)
        join(me, world->threads[draw(world->thread_count)]);
    else if (kind < run.forks + run.renews + run.joins + run.leaps)
        me->clock += draw(2) ? draw(40) : draw(400); /* by accesses elsewhere */
    else
        access_some(me);
}

/* Nothing is left of the last run. */
static void begin(uint64_t seed)
{
    for (uint32_t i = 0; i < world->thread_count; i++)
        free(world->threads[i]);
    ser_channel *channel = world->channel;
    *world = (ser_runtime_world){.channel = channel, .recording = true, .can_steal = true};
    world->parallel = seed % 4 > 0;
    world->hide_end = UINT64_MAX;
    ring->head = ring->tail = ring->next_clock = 0;
    exact_begin();
    ser_shadow_renew((uintptr_t)memory, PAGE);
    memset(ser_owner_at((uintptr_t)memory), 0, PAGE / LINE * sizeof(uint16_t));
    for (size_t at = 0; at < PAGE; at += LINE)
        ser_line_of((uintptr_t)memory + at)->word = 0;
    state_of_random = seed * 2654435761u + 1;
    run.seed = seed;
    run.most_threads = 1 + draw(EXACT_THREADS);
    run.writes_one_in = 2U << draw(6);
    run.forks = 2U << draw(5);
    run.renews = 8U << draw(5);
    run.joins = 2U << draw(8);
    run.leaps = 1U << draw(7);
}

/* Two lines are locked in the order of their locks, which gives other clocks than the other order.
 * So that a seed always makes the same run, it must be that of the lines: ser_line_of has it so in
 * one of eight places, whatever address the system gives. */
static char *find_memory(void)
{
    enum { PLACES = 8, STEP = 1 << (6 + SER_LINE_BITS) };
    char *at = aligned_alloc(PAGE, (size_t)PLACES * STEP);
    for (int i = 0; at && i < PLACES; i++, at += STEP) {
        const ser_line *first = ser_line_of((uintptr_t)at);
        if (((uintptr_t)(first - ser_lines) & (PLACES - 1)) == 0)
            return at;
    }
    return 0;
}

int main(int count, char **arguments)
{
    uint64_t from = count > 1 ? strtoull(arguments[1], 0, 10) : 1;
    uint64_t to = count > 2 ? strtoull(arguments[2], 0, 10) : count > 1 ? from : 3000;
    world->channel = calloc(1, ser_channel_size(1));
    memory = find_memory();
    if (!world->channel || !memory || !ser_word_made((uintptr_t)memory))
        abort();
    ring = &world->channel->rings[0];
    for (uint64_t seed = from; seed <= to; seed++) {
        begin(seed);
        create();
        for (unsigned first = draw(2) ? draw(run.most_threads) : 0; first > 0; first--)
            fork_from(world->threads[draw(world->thread_count)]);
        unsigned steps = 200 + draw(500);
        for (run.step = 0; run.step < steps; run.step++)
            make_step(world->threads[draw(world->thread_count)]);
    }
    printf("%" PRIu64 " accesses were elided, %" PRIu64 " recorded\n", elided, recorded);
    return 0;
}
