/* SPDX-License-Identifier: MIT */
/*
 * Forwards: an access is reached if it conflicts with one of the block that it need
 * not come before, or with a reached one, or comes after a reached one in its thread.
 * Backwards likewise. Both are fixed points over the variables (sweep_all); a variable
 * remembers in which way reached accesses touch it. What both sweeps reach may lie on
 * a path.
 */
#include "predict/path_reach.h"

#include "base/idmap.h"
#include "predict/static_check.h"

enum { TOUCH_READ = 1, TOUCH_WRITE = 2 };
enum { REACHED_FORWARDS = 1, REACHED_BACKWARDS = 2, REACHED_BOTH = 3 };

typedef struct sweeper {
    const ser_order *order;
    const ser_run *run;
    const ser_segment *segment;
    uint32_t block_thread, block_first, block_last; /* thread, first and last access */
    ser_event_list kept;                            /* locks that the block holds all the time */
    ser_idmap block_accesses; /* variable -> 1 + index in lists: accesses of the block */
    SER_VECTOR(ser_event_list) lists;
    ser_idmap touched; /* variable -> TOUCH_* by accesses reached so far */
    uint8_t **marks;   /* of each thread and event of the segment: REACHED_* */
    bool backwards;
    bool changed;
} sweeper;

static bool is_read(const ser_run *run, uint32_t event)
{
    return run->events[event].op == SER_OP_READ;
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
    uint32_t held = run->held[sweep->block_last];
    for (; held; held = run->holds.items[held].next)
        if (run->holds.items[held].acquire < sweep->block_first)
            ser_vector_push(&sweep->kept, run->holds.items[held].acquire);
}

static bool is_kept_out(const sweeper *sweep, uint32_t event)
{
    for (size_t i = 0; i < sweep->kept.count; i++)
        if (ser_holds_against(sweep->run, event, sweep->kept.items[i]))
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
    for (size_t i = 0; i < own->count; i++) {
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

/*
 * The access follows one of the block: can its thread go on, or is it a broken read?
 * A plain read follows a write, so it reads what the block wrote, or a write that has
 * happened since: one of the block as well, or one made while the block is under way.
 */
static bool can_go_on(const sweeper *sweep, uint32_t event)
{
    const ser_run *run = sweep->run;
    if (run->events[event].op != SER_OP_READ)
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
    return (op == SER_OP_ACQUIRE || op == SER_OP_SHARED_ACQUIRE) && is_kept_out(sweep, event);
}

/* One thread, from its start to its end or from its end to its start. */
static void sweep_thread(sweeper *sweep, uint32_t thread)
{
    uint32_t from = sweep->segment->from[thread], to = sweep->segment->to[thread];
    uint8_t mark = sweep->backwards ? REACHED_BACKWARDS : REACHED_FORWARDS;
    bool reached = false;
    for (uint32_t i = from; i < to; i++) {
        uint32_t eid = sweep->backwards ? to - 1 - (i - from) : i;
        uint32_t event = ser_run_at(sweep->run, thread, eid);
        if (is_barrier(sweep, event))
            reached = false;
        if (!may_carry(sweep, event))
            continue;
        bool enters = !reached && meets_block(sweep, event);
        reached = reached || meets_path(sweep, event);
        if (!reached && !enters)
            continue;
        sweep->marks[thread][eid - from] |= mark;
        touch(sweep, event);
        reached = reached || sweep->backwards || can_go_on(sweep, event);
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
    } while (sweep->changed);
}

static void create_marks(sweeper *sweep)
{
    const ser_segment *segment = sweep->segment;
    sweep->marks = ser_alloc(segment->threads, sizeof *sweep->marks);
    for (uint32_t i = 0; i < segment->threads; i++)
        sweep->marks[i] = ser_alloc(segment->to[i] - segment->from[i], 1);
}

static void free_sweeper(sweeper *sweep)
{
    for (uint32_t i = 0; i < sweep->segment->threads; i++)
        free(sweep->marks[i]);
    free(sweep->marks);
    for (size_t i = 0; i < sweep->lists.count; i++)
        ser_vector_free(&sweep->lists.items[i]);
    ser_vector_free(&sweep->lists);
    ser_vector_free(&sweep->kept);
    ser_idmap_fini(&sweep->block_accesses);
    ser_idmap_fini(&sweep->touched);
}

void ser_path_reach(const ser_order *order, uint32_t block, const ser_segment *segment,
                    uint32_t *last)
{
    sweeper sweep = {.order = order, .run = order->run, .segment = segment};
    sweep.block_thread = order->run->blocks.items[block].thread;
    sweep.block_first = ser_block_first_access(order->run, block);
    sweep.block_last = ser_block_last_access(order->run, block);
    create_marks(&sweep);
    list_block_accesses(&sweep);
    sweep_all(&sweep, false);
    sweep_all(&sweep, true);
    for (uint32_t i = 0; i < segment->threads; i++) {
        uint32_t eid = segment->to[i];
        while (eid > segment->from[i] && sweep.marks[i][eid - 1 - segment->from[i]] != REACHED_BOTH)
            eid--;
        last[i] = eid > segment->from[i] ? eid - 1 : 0;
    }
    free_sweeper(&sweep);
}
