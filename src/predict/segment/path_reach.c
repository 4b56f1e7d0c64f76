/* SPDX-License-Identifier: MIT */
/*
 * Forwards: an access is reached if it conflicts with one of the block that it need
 * not come before, or with a reached one, or comes after a reached one in its thread.
 * Backwards likewise. Both are fixed points over the variables (sweep_all); a variable
 * remembers in which way reached accesses touch it. What both sweeps reach may lie on
 * a path. Accesses at the ends of the block that meet nothing of it are dropped, and the
 * sweeps made again (sweep_and_narrow).
 */
#include "predict/segment/path_reach.h"

#include "base/idmap.h"
#include "predict/static/static_check.h"

enum { MOST_ROUNDS = 4 };
enum { TOUCH_READ = 1, TOUCH_WRITE = 2 };
enum { REACHED_FORWARDS = 1, REACHED_BACKWARDS = 2, REACHED_BOTH = 3 };

typedef struct sweeper {
    const ser_order *order;
    const ser_run *run;
    const ser_segment *segment;
    ser_meter *meter;
    /* Its thread; the first and last access at which a path may leave or return. */
    uint32_t block_thread, block_first, block_last;
    ser_event_list kept;      /* locks that the block holds all the time */
    ser_idmap block_accesses; /* variable -> 1 + index in lists: accesses of the block */
    SER_VECTOR(ser_event_list) lists;
    ser_idmap touched; /* variable -> TOUCH_* by accesses reached so far */
    uint8_t **marks;   /* of each thread and event of the segment: REACHED_* */
    bool backwards;
    bool changed;
} sweeper;

static bool is_read(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return ser_op_reads(op) && !ser_op_writes(op);
}

static bool is_access(const ser_run *run, uint32_t event)
{
    return ser_op_is_access((ser_op)run->events[event].op);
}

static void list_block_accesses(sweeper *sweep)
{
    const ser_run *run = sweep->run;
    for (uint32_t eid = run->eid[sweep->block_first]; eid <= run->eid[sweep->block_last]; eid++) {
        uint32_t event = ser_run_at(run, sweep->block_thread, eid);
        if (!is_access(run, event))
            continue;
        uint32_t fresh = (uint32_t)sweep->lists.count + 1;
        uint32_t index = *ser_idmap_add(&sweep->block_accesses, run->events[event].object, fresh);
        ser_vector_push(ser_vector_slot(&sweep->lists, index - 1), event);
    }
    uint32_t held = ser_run_held(run, sweep->block_last);
    for (; held; held = ser_run_next_held(run, sweep->block_last, held))
        if (run->holds.items[held].acquire < sweep->block_first)
            ser_vector_push(&sweep->kept, run->holds.items[held].acquire);
}

static bool is_kept_out(const sweeper *sweep, uint32_t event)
{
    for (size_t i = 0; i < sweep->kept.count; i++)
        if (ser_holds_against(sweep->run, event, sweep->kept.items[i], sweep->meter))
            return true;
    return false;
}

/* Can the access directly follow one of the block, or directly precede one? */
static bool meets_block(const sweeper *sweep, uint32_t event)
{
    const ser_run *run = sweep->run;
    uint32_t index = ser_idmap_get(&sweep->block_accesses, run->events[event].object, 0);
    if (!index)
        return false;
    const ser_event_list *own = &sweep->lists.items[index - 1];
    for (size_t i = 0; i < own->count && !ser_meter_over(sweep->meter); i++) {
        uint32_t access = own->items[i];
        if (is_read(run, event) && is_read(run, access))
            continue;
        if (sweep->backwards
                ? access != sweep->block_first &&
                      (!ser_order_before(sweep->order, access, event) ||
                       ser_order_only_by_couple(sweep->order, access, event))
                : access != sweep->block_last && !ser_order_before(sweep->order, event, access))
            return true;
    }
    return false;
}

static bool meets_path(const sweeper *sweep, uint32_t event)
{
    uint32_t touched = ser_idmap_get(&sweep->touched, sweep->run->events[event].object, 0);
    return touched & (is_read(sweep->run, event) ? TOUCH_WRITE : TOUCH_READ | TOUCH_WRITE);
}

/* Of the block: does the event of that eid conflict with an access on a path? */
static bool meets_path_at(const sweeper *sweep, uint32_t thread, uint32_t eid)
{
    uint32_t event = ser_run_at(sweep->run, thread, eid);
    return is_access(sweep->run, event) && meets_path(sweep, event);
}

static void touch(sweeper *sweep, uint32_t event)
{
    uint32_t *touched = ser_idmap_add(&sweep->touched, sweep->run->events[event].object, 0);
    uint32_t bit = is_read(sweep->run, event) ? TOUCH_READ : TOUCH_WRITE;
    sweep->changed |= !(*touched & bit);
    *touched |= bit;
}

static bool may_carry(const sweeper *sweep, uint32_t event)
{
    return is_access(sweep->run, event) && !is_kept_out(sweep, event);
}

/* May the thread go on behind the read though it got another write? */
static bool may_change(const ser_run *run, uint32_t read)
{
    return run->reads && (run->reads->rules.items[read].limit != SER_LIMIT_NEXT ||
                          ser_reads_accept_set(run->reads, read)->count);
}

/*
 * The access follows one of the block: can its thread go on, or is it a broken read?
 * A plain read follows a write, so it reads what the block wrote, or a write that has
 * happened since: one of the block as well, or one made while the block is under way.
 */
static bool can_go_on(const sweeper *sweep, uint32_t event)
{
    const ser_run *run = sweep->run;
    if (!is_read(run, event) || may_change(run, event))
        return true;
    uint32_t source = run->couple[event];
    if (!source)
        return false;
    if (run->events[source].thread == sweep->block_thread)
        return sweep->block_first <= source && source <= sweep->block_last;
    return ser_segment_holds(sweep->segment, run, source) && !is_kept_out(sweep, source);
}

/* Does program order carry no path over this event? */
static bool is_barrier(const sweeper *sweep, uint32_t event)
{
    ser_op op = (ser_op)sweep->run->events[event].op;
    return ser_op_acquires(op) && is_kept_out(sweep, event);
}

static void mark_step(sweeper *sweep, uint32_t first, uint32_t last)
{
    uint32_t thread = sweep->run->events[first].thread, from = sweep->segment->from[thread];
    for (uint32_t event = first; event <= last; event++) {
        sweep->marks[thread][sweep->run->eid[event] - from] |=
            sweep->backwards ? REACHED_BACKWARDS : REACHED_FORWARDS;
        touch(sweep, event);
    }
}

/* One step, mostly a single event: a path that reaches one of its accesses goes on from
 * all. Is what follows it in the sweep reached? */
static bool sweep_step(sweeper *sweep, uint32_t first, uint32_t last, bool reached)
{
    if (is_barrier(sweep, first))
        reached = false;
    if (!may_carry(sweep, first))
        return reached;
    bool goes_on = reached, enters = false;
    for (uint32_t event = first; event <= last && !goes_on; event++) {
        goes_on = meets_path(sweep, event);
        if (goes_on || !meets_block(sweep, event))
            continue;
        enters = true;
        goes_on = sweep->backwards || can_go_on(sweep, event);
    }
    if (goes_on || enters)
        mark_step(sweep, first, last);
    return goes_on;
}

/* One thread, from its start to its end or from its end to its start. */
static void sweep_thread(sweeper *sweep, uint32_t thread)
{
    const ser_run *run = sweep->run;
    const uint32_t *events = run->threads.items[thread].events.items;
    uint32_t from = sweep->segment->from[thread], to = sweep->segment->to[thread];
    bool reached = false, has_steps = run->steps.count > 0;
    while (from < to && !ser_meter_over(sweep->meter)) {
        uint32_t event = events[(sweep->backwards ? to - 1 : from) - 1];
        uint32_t first = has_steps ? ser_run_step_first(run, event) : event;
        uint32_t last = has_steps ? ser_run_step_last(run, event) : event;
        reached = sweep_step(sweep, first, last, reached);
        if (sweep->backwards)
            to -= last - first + 1;
        else
            from += last - first + 1;
    }
}

static void sweep_all(sweeper *sweep, bool backwards)
{
    sweep->backwards = backwards;
    ser_idmap_fini(&sweep->touched);
    do {
        sweep->changed = false;
        for (uint32_t i = 0; i < sweep->segment->threads; i++)
            if (i != sweep->block_thread)
                sweep_thread(sweep, i);
    } while (sweep->changed && !ser_meter_over_now(sweep->meter));
}

static void create_marks(sweeper *sweep)
{
    const ser_segment *segment = sweep->segment;
    sweep->marks = ser_alloc(segment->threads, sizeof *sweep->marks);
    for (uint32_t i = 0; i < segment->threads; i++)
        sweep->marks[i] = ser_alloc(segment->to[i] - segment->from[i], 1);
}

static void free_marks(sweeper *sweep)
{
    for (uint32_t i = 0; sweep->marks && i < sweep->segment->threads; i++)
        free(sweep->marks[i]);
    free(sweep->marks);
    sweep->marks = NULL;
}

static void forget_block_accesses(sweeper *sweep)
{
    for (size_t i = 0; i < sweep->lists.count; i++)
        ser_vector_free(&sweep->lists.items[i]);
    ser_vector_free(&sweep->lists);
    ser_vector_free(&sweep->kept);
    ser_idmap_fini(&sweep->block_accesses);
}

/* Which accesses of others may lie on a path, as TOUCH_* of each variable. */
static void touch_what_was_reached(sweeper *sweep)
{
    const ser_segment *segment = sweep->segment;
    ser_idmap_fini(&sweep->touched);
    for (uint32_t i = 0; i < segment->threads; i++)
        for (uint32_t eid = segment->from[i]; eid < segment->to[i]; eid++)
            if (sweep->marks[i][eid - segment->from[i]] == REACHED_BOTH)
                touch(sweep, ser_run_at(sweep->run, i, eid));
}

/* A path leaves and returns at accesses of the block that conflict with those. Drops
 * the others at both ends; false if fewer than two are left. */
static bool narrow_block(sweeper *sweep)
{
    const ser_run *run = sweep->run;
    uint32_t thread = sweep->block_thread;
    uint32_t low = run->eid[sweep->block_first], high = run->eid[sweep->block_last];
    touch_what_was_reached(sweep);
    while (low < high && !meets_path_at(sweep, thread, low))
        low++;
    while (low < high && !meets_path_at(sweep, thread, high))
        high--;
    sweep->changed = low != run->eid[sweep->block_first] || high != run->eid[sweep->block_last];
    sweep->block_first = ser_run_at(run, thread, low);
    sweep->block_last = ser_run_at(run, thread, high);
    return low < high;
}

/* With fewer accesses of the block, it may hold more locks all the time. */
static bool sweep_and_narrow(sweeper *sweep)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        free_marks(sweep);
        forget_block_accesses(sweep);
        create_marks(sweep);
        list_block_accesses(sweep);
        sweep_all(sweep, false);
        sweep_all(sweep, true);
        if (!narrow_block(sweep))
            return false;
        if (!sweep->changed)
            break;
    }
    return true;
}

/* The eid of the thread's last event that both sweeps have reached; 0: none. */
static uint32_t find_last(const sweeper *sweep, uint32_t thread)
{
    uint32_t from = sweep->segment->from[thread], eid = sweep->segment->to[thread];
    while (eid > from && sweep->marks[thread][eid - 1 - from] != REACHED_BOTH)
        eid--;
    return eid > from ? eid - 1 : 0;
}

uint32_t ser_path_reach(const ser_order *order, uint32_t block, const ser_segment *segment,
                        uint32_t *last, ser_meter *meter)
{
    sweeper sweep = {.order = order, .run = order->run, .segment = segment, .meter = meter};
    sweep.block_thread = order->run->blocks.items[block].thread;
    sweep.block_first = ser_block_first_access(order->run, block);
    sweep.block_last = ser_block_last_access(order->run, block);
    uint32_t end = sweep_and_narrow(&sweep) ? sweep.block_last : 0;
    for (uint32_t i = 0; i < segment->threads; i++)
        last[i] = end ? find_last(&sweep, i) : 0;
    free_marks(&sweep);
    forget_block_accesses(&sweep);
    ser_idmap_fini(&sweep.touched);
    return end;
}
