/* SPDX-License-Identifier: MIT */
/*
 * The partial order graph, the extents of blocks and the locks held against their definitions, on
 * random runs of many threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <stdlib.h>

#include "order/order.h"
#include "predict/segment/extent.h"
#include "predict/segment/tas.h"
#include "predict/static/outer.h"
#include "unit/random_below.h"

/* --- random runs ------------------------------------------------------------------ */

enum { MOST_EVENTS = 320, LOCKS = 6 };

typedef struct maker {
    ser_event events[MOST_EVENTS + 8];
    uint32_t count, threads;
    struct {
        bool forked, started, over, arrived, in_block;
        bool holds[LOCKS];
    } state[64];
    bool taken[LOCKS];
    bool joins, lates; /* has steps of several events; late ones */
} maker;

static void add(maker *m, uint32_t thread, ser_op op, uint32_t object, uint8_t flags)
{
    m->events[m->count++] = (ser_event){
        .thread = thread, .op = (uint8_t)op, .object = object, .site = SER_NO_SITE, .flags = flags};
    m->state[thread].started = true;
}

static void add_access(maker *m, uint32_t t)
{
    static const ser_op ops[] = {SER_OP_READ, SER_OP_WRITE, SER_OP_RMW};
    ser_op op = ops[random_below(3)];
    uint8_t late = m->lates && random_below(6) == 0 ? SER_EVENT_LATE : 0;
    uint32_t more = m->joins && random_below(4) == 0 ? 1 + random_below(3) : 0;
    for (; more > 0; more--)
        add(m, t, op, random_below(5), SER_EVENT_JOINED);
    add(m, t, op, random_below(5), late);
}

static void add_lock(maker *m, uint32_t t)
{
    uint32_t lock = random_below(LOCKS);
    if (m->state[t].holds[lock]) {
        add(m, t, SER_OP_RELEASE, lock, 0);
        m->state[t].holds[lock] = m->taken[lock] = false;
    } else if (!m->taken[lock]) {
        add(m, t, SER_OP_ACQUIRE, lock, 0);
        m->state[t].holds[lock] = m->taken[lock] = true;
    }
}

static void add_fork_or_join(maker *m, uint32_t t)
{
    uint32_t other = random_below(m->threads);
    if (other == t || m->state[other].over)
        return;
    if (!m->state[other].started && !m->state[other].forked) {
        add(m, t, SER_OP_FORK, other, 0);
        m->state[other].forked = true;
    } else if (random_below(6) == 0 && !m->state[other].in_block) {
        add(m, t, SER_OP_JOIN, other, 0);
        m->state[other].over = true;
    }
}

static void add_barrier(maker *m, uint32_t t)
{
    add(m, t, m->state[t].arrived ? SER_OP_DEPART : SER_OP_ARRIVE, 0, 0);
    m->state[t].arrived = !m->state[t].arrived;
}

static void add_block_end(maker *m, uint32_t t)
{
    bool in = m->state[t].in_block;
    add(m, t, in ? SER_OP_END : SER_OP_BEGIN, SER_NO_OBJECT,
        in ? SER_EVENT_CLOSES : SER_EVENT_OPENS);
    m->state[t].in_block = !in;
}

static void add_any(maker *m, uint32_t t)
{
    switch (random_below(12)) {
    case 0:
        add(m, t, SER_OP_WAIT, random_below(2), 0);
        break;
    case 1:
        add(m, t, random_below(3) ? SER_OP_NOTIFY : SER_OP_NOTIFY_ALL, random_below(2), 0);
        break;
    case 2:
        add(m, t, random_below(2) ? SER_OP_POST : SER_OP_TAKE, 0, 0);
        break;
    case 3:
    case 4:
        add_fork_or_join(m, t);
        break;
    case 5:
    case 6:
        add_barrier(m, t);
        break;
    case 7:
        add_block_end(m, t);
        break;
    case 8:
        add_lock(m, t);
        break;
    default:
        add_access(m, t);
        break;
    }
}

static ser_run *make_run(uint64_t seed)
{
    maker m = {0};
    ser_error error;
    state_of_random = seed;
    m.threads = 2 + random_below(seed % 2 ? 6 : 40);
    m.joins = seed % 3 == 0;
    m.lates = seed % 5 == 0;
    uint32_t wanted = 20 + random_below(MOST_EVENTS - 20);
    for (int tries = 0; m.count < wanted && tries < 4 * MOST_EVENTS; tries++) {
        uint32_t t = random_below(m.threads);
        if (!m.state[t].over)
            add_any(&m, t);
    }
    ser_run_builder *builder = ser_run_builder_create(NULL);
    assert_int_equal(ser_run_builder_add(builder, m.events, m.count, &error), SER_OK);
    return ser_run_builder_finish(builder);
}

/* --- the definition ------------------------------------------------------------------ */

/* before[a][b]: a must happen before b. */
static bool before[MOST_EVENTS + 8][MOST_EVENTS + 8];

static void add_edge(const ser_run *run, uint32_t a, uint32_t b)
{
    for (uint32_t i = ser_run_step_first(run, a); a && i <= ser_run_step_last(run, a); i++)
        for (uint32_t k = ser_run_step_first(run, b); k <= ser_run_step_last(run, b); k++)
            before[i][k] = true;
}

static void add_chain(const ser_run *run, uint32_t first, uint32_t b)
{
    for (uint32_t a = first; a; a = run->match[a])
        add_edge(run, a, b);
}

static void add_edges_to(const ser_run *run, uint32_t b)
{
    const ser_event *event = &run->events[b];
    uint32_t previous = ser_run_previous(run, b);
    if (previous && ser_run_step_first(run, previous) == ser_run_step_first(run, b))
        before[previous][b] = true;
    else if (previous)
        add_edge(run, previous, b);
    else
        add_edge(run, run->threads.items[event->thread].fork, b);
    if (previous && run->events[previous].op == SER_OP_WAIT)
        add_edge(run, run->couple[previous], b);
    for (uint32_t a = 1; ser_run_is_late(run, b) && a < b; a++)
        add_edge(run, a, b);
    bool coupled = event->op != SER_OP_WAIT && run->couple[b];
    if (coupled && ser_run_step_first(run, run->couple[b]) != ser_run_step_first(run, b))
        add_edge(run, run->couple[b], b);
    if (event->op == SER_OP_NOTIFY || event->op == SER_OP_NOTIFY_ALL || event->op == SER_OP_DEPART)
        add_chain(run, run->match[b], b);
    if (event->op == SER_OP_JOIN) {
        const ser_run_thread *child = &run->threads.items[event->object];
        size_t count = child->events.count;
        add_edge(run, count ? child->events.items[count - 1] : child->fork, b);
    }
}

static void define_order(const ser_run *run)
{
    memset(before, 0, sizeof before);
    for (uint32_t b = 1; b <= run->count; b++)
        add_edges_to(run, b);
    for (uint32_t middle = 1; middle <= run->count; middle++)
        for (uint32_t a = 1; a <= run->count; a++)
            for (uint32_t b = 1; before[a][middle] && b <= run->count; b++)
                before[a][b] |= before[middle][b];
}

static void compare_order(const ser_order *order)
{
    const ser_run *run = order->run;
    for (uint32_t a = 1; a <= run->count; a++)
        for (uint32_t b = 1; b <= run->count; b++)
            if (run->events[a].thread == run->events[b].thread)
                assert_int_equal(ser_order_before(order, a, b), a < b);
            else
                assert_int_equal(ser_order_before(order, a, b), before[a][b]);
}

static void compare_extents(const ser_order *order)
{
    const ser_run *run = order->run;
    uint64_t *extents = ser_extent_of_blocks(order, NULL);
    assert_int_equal(extents == NULL, run->joined != 0);
    for (uint32_t i = 0; extents && i < run->blocks.count; i++) {
        if (!ser_block_first_access(run, i))
            continue;
        ser_segment *frontiers = ser_tas_frontiers(order, i, NULL);
        assert_int_equal(extents[i], ser_segment_size(frontiers));
        ser_segment_destroy(frontiers);
    }
    free(extents);
}

/* Must all events of other threads come before the event? */
static bool comes_last(const ser_run *run, uint32_t event)
{
    for (uint32_t a = 1; a <= run->count; a++)
        if (run->events[a].thread != run->events[event].thread && !before[a][event])
            return false;
    return true;
}

static uint32_t define_after_all(const ser_run *run, uint32_t thread)
{
    uint32_t count = (uint32_t)run->threads.items[thread].events.count;
    for (uint32_t eid = 1; eid <= count; eid++) {
        uint32_t event = ser_run_at(run, thread, eid);
        if (comes_last(run, event))
            return run->eid[ser_run_step_last(run, event)] + 1;
    }
    return count + 2;
}

/* Events that come before all forks of the others, which must have one if they do anything. */
static uint32_t define_before_all(const ser_run *run, uint32_t thread)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < run->threads.count; i++) {
        uint32_t fork = run->threads.items[i].fork, known = 0;
        if (i == thread || !run->threads.items[i].events.count)
            continue;
        while (fork && known < run->threads.items[thread].events.count) {
            uint32_t event = ser_run_at(run, thread, known + 1);
            if (event != fork && !before[event][fork])
                break;
            known++;
        }
        least = known < least ? known : least;
    }
    return least;
}

static void compare_outer(const ser_order *order)
{
    const ser_run *run = order->run;
    ser_outer outer = ser_outer_of(order);
    for (uint32_t i = 0; i < run->threads.count; i++) {
        assert_int_equal(outer.before_all[i], define_before_all(run, i));
        assert_int_equal(outer.after_all[i], define_after_all(run, i));
    }
    ser_outer_fini(&outer);
}

static bool is_held(const ser_run *run, uint32_t acquire, uint32_t event)
{
    uint32_t release = run->match[acquire];
    return run->events[acquire].op == SER_OP_ACQUIRE && acquire <= event &&
           run->events[acquire].thread == run->events[event].thread &&
           (!release || release > event);
}

static void compare_held(const ser_run *run)
{
    for (uint32_t event = 1; event <= run->count; event++) {
        uint32_t left = 0;
        for (uint32_t acquire = 1; acquire <= event; acquire++)
            left += is_held(run, acquire, event);
        uint32_t last = event + 1, held = ser_run_held(run, event);
        for (; held; held = ser_run_next_held(run, event, held)) {
            uint32_t acquire = run->holds.items[held].acquire;
            assert_true(acquire < last && is_held(run, acquire, event));
            last = acquire;
            left--;
        }
        assert_int_equal(left, 0);
    }
}

static void test_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        ser_run *run = make_run(seed);
        ser_order *order = ser_order_create(run, NULL);
        define_order(run);
        compare_order(order);
        compare_extents(order);
        compare_outer(order);
        compare_held(run);
        ser_order_destroy(order);
        ser_run_destroy(run);
    }
}

/* Releases in the order of the acquires do not copy what is still held each time. */
static void test_many_locks(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    ser_error error;
    ser_run_builder *builder = ser_run_builder_create(NULL);
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        ser_op op = i < COUNT ? SER_OP_ACQUIRE : SER_OP_RELEASE;
        ser_event event = {.op = (uint8_t)op, .object = i % COUNT, .site = SER_NO_SITE};
        assert_int_equal(ser_run_builder_add(builder, &event, 1, &error), SER_OK);
    }
    ser_run *run = ser_run_builder_finish(builder);
    assert_true(run->holds.count < 8 * COUNT);
    assert_int_equal(ser_run_held(run, 2 * COUNT), 0);
    ser_run_destroy(run);
}

/* --- limits ---------------------------------------------------------------------------- */

static void test_limits(void **state)
{
    (void)state;
    ser_run *run = make_run(2);
    atomic_bool stop = true;
    ser_meter_limits limits = {.stop = &stop};
    ser_meter meter = {.limits = &limits, .steps = SER_METER_STRIDE - 1};
    assert_null(ser_order_create(run, &meter));
    assert_int_equal(meter.reached, SER_OVERRUN_STOP);
    stop = false;
    limits.memory = 1;
    meter = (ser_meter){.limits = &limits, .steps = SER_METER_STRIDE - 1};
    assert_null(ser_order_create(run, &meter));
    assert_int_equal(meter.reached, SER_OVERRUN_MEMORY);
    limits = (ser_meter_limits){.deadline = 1e-9};
    meter = (ser_meter){.limits = &limits, .steps = SER_METER_STRIDE - 1};
    assert_null(ser_order_create(run, &meter));
    assert_int_equal(meter.reached, SER_OVERRUN_TIME);
    ser_run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many_locks),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
