/* SPDX-License-Identifier: MIT */
#include "stream/facts.h"

enum { MOST_ACTIONS = 1 << 16, MOST_ROUNDS = 4 };

static bool holds(const ser_fact_holds *held, uint32_t lock)
{
    for (size_t i = 0; i < held->count; i++)
        if (held->items[i].lock == lock)
            return true;
    return false;
}

/* A thread may hold a lock both ways, and go on as a reader. */
static void let_go(ser_fact_holds *held, ser_fact_hold released)
{
    for (size_t i = held->count; i-- > 0;) {
        if (held->items[i].lock != released.lock || held->items[i].is_shared != released.is_shared)
            continue;
        held->items[i] = held->items[--held->count];
        return;
    }
}

/* --- variables --------------------------------------------------------------------- */

static void add_access(ser_stream_variable *own, const ser_fact_holds *held, const ser_event *event)
{
    bool is_first = own->user.thread == 0;
    ser_user_add(&own->user, event);
    if (is_first) {
        for (size_t i = 0; i < held->count && i < SER_MOST_GUARDS; i++)
            own->guards[own->guard_count++] = held->items[i].lock;
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < own->guard_count; i++)
        if (holds(held, own->guards[i]))
            own->guards[kept++] = own->guards[i];
    own->guard_count = kept;
}

static void take_lock(ser_fact_holds *held, ser_op op, uint32_t lock)
{
    const ser_fact_hold own = {lock, ser_op_is_shared(op)};
    if (ser_op_acquires(op))
        ser_vector_push(held, own);
    else if (ser_op_releases(op))
        let_go(held, own);
}

static void note_thread(ser_facts *facts, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (!ser_op_takes_part(op))
        return;
    if (!facts->first)
        facts->first = event->thread + 1;
    bool is_new = *ser_vector_slot(&facts->stages, event->thread) == SER_THREAD_NEW;
    facts->has_strangers |= is_new && facts->first != event->thread + 1;
    if (!ser_op_forks(op) && !ser_op_joins(op))
        return;
    ser_thread_stage *stage = ser_vector_slot(&facts->stages, event->object);
    if (ser_op_forks(op)) {
        *stage = SER_THREAD_FORKED;
        facts->others++;
    } else if (*stage == SER_THREAD_FORKED) {
        *stage = SER_THREAD_JOINED;
        facts->others--;
    }
}

void ser_facts_add_hold(ser_facts *facts, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_space(op) == SER_SPACE_LOCK && !(event->flags & SER_EVENT_INNER))
        take_lock(ser_vector_slot(&facts->held, event->thread), op, event->object);
}

void ser_facts_add(ser_facts *facts, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    note_thread(facts, event);
    if (ser_op_is_access(op)) {
        const ser_fact_holds *held = ser_vector_slot(&facts->held, event->thread);
        ser_stream_variable *own = ser_vector_slot(&facts->variables, event->object);
        if (facts->others == 0 && !facts->has_strangers)
            ser_user_add(&own->alone, event);
        else
            add_access(own, held, event);
    } else {
        ser_facts_add_hold(facts, event);
    }
}

/* There are more variables than fit into a cache. */
static void fetch(const ser_facts *facts, const ser_event *event)
{
    if (ser_op_is_access((ser_op)event->op) && event->object < facts->variables.count)
        __builtin_prefetch(&facts->variables.items[event->object], 1);
}

void ser_facts_add_all(ser_facts *facts, const ser_event *events, size_t count)
{
    enum { AHEAD = 12 };
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            fetch(facts, &events[i + AHEAD]);
        ser_facts_add(facts, &events[i]);
    }
}

void ser_facts_fini(ser_facts *facts)
{
    for (size_t i = 0; i < facts->held.count; i++)
        ser_vector_free(&facts->held.items[i]);
    ser_vector_free(&facts->held);
    ser_vector_free(&facts->stages);
    ser_vector_free(&facts->variables);
}

/* --- blocks -------------------------------------------------------------------------- */

void ser_block_actions_begin(ser_block_actions *actions, const ser_facts *facts, uint32_t thread)
{
    actions->thread = thread;
    if (thread >= facts->held.count)
        return;
    const ser_fact_holds *held = &facts->held.items[thread];
    for (size_t i = 0; i < held->count; i++)
        ser_vector_push(&actions->held, held->items[i]);
}

void ser_block_actions_add(ser_block_actions *actions, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    bool is_lock = ser_op_space(op) == SER_SPACE_LOCK && !(event->flags & SER_EVENT_INNER);
    if (actions->is_long || (!is_lock && !ser_op_is_access(op)))
        return;
    if (actions->list.count == MOST_ACTIONS) {
        ser_block_actions_fini(actions);
        actions->is_long = true;
        return;
    }
    ser_vector_push(&actions->list, ((ser_block_action){event->object, event->op}));
}

void ser_block_actions_fini(ser_block_actions *actions)
{
    ser_vector_free(&actions->held);
    ser_vector_free(&actions->list);
}

/* The part of a block in which a path can begin and end. */
typedef struct range {
    const ser_facts *facts;
    const ser_block_actions *actions;
    size_t low, high;    /* of its actions: first, and behind the last */
    ser_fact_holds kept; /* locks that are held throughout */
} range;

static void find_kept(range *part)
{
    const ser_block_actions *actions = part->actions;
    part->kept.count = 0;
    for (size_t i = 0; i < actions->held.count; i++)
        ser_vector_push(&part->kept, actions->held.items[i]);
    for (size_t i = 0; i < part->high; i++) {
        const ser_block_action *action = &actions->list.items[i];
        ser_op op = (ser_op)action->op;
        if (ser_op_space(op) == SER_SPACE_LOCK && (i < part->low || ser_op_releases(op)))
            take_lock(&part->kept, op, action->object);
    }
}

static bool is_used_by_others(const ser_user *user, uint32_t thread)
{
    return user->thread && user->thread != thread + 1;
}

static bool is_guarded(const range *part, const ser_stream_variable *own)
{
    for (size_t i = 0; i < part->kept.count; i++)
        for (uint32_t k = 0; k < own->guard_count; k++)
            if (!part->kept.items[i].is_shared && part->kept.items[i].lock == own->guards[k])
                return true;
    return false;
}

/* Is it an access that another thread's can follow or precede, although the locks are held? */
static bool is_free(const range *part, size_t index)
{
    const ser_block_action *action = &part->actions->list.items[index];
    if (!ser_op_is_access((ser_op)action->op))
        return false;
    const ser_stream_variable *own = &part->facts->variables.items[action->object];
    bool writes = ser_op_writes((ser_op)action->op);
    bool alone_counts = part->facts->has_strangers;
    if (alone_counts && is_used_by_others(&own->alone, part->actions->thread) &&
        (writes || own->alone.is_written))
        return true;
    return is_used_by_others(&own->user, part->actions->thread) &&
           (writes || own->user.is_written) && !is_guarded(part, own);
}

/* True if fewer than two are left. */
static bool narrow(range *part)
{
    while (part->low < part->high && !is_free(part, part->low))
        part->low++;
    while (part->low < part->high && !is_free(part, part->high - 1))
        part->high--;
    return part->high <= part->low + 1;
}

bool ser_facts_settle(const ser_facts *facts, const ser_block_actions *actions)
{
    range part = {.facts = facts, .actions = actions, .high = actions->list.count};
    bool settled = false;
    if (actions->is_long)
        return false;
    for (int round = 0; round < MOST_ROUNDS && !settled; round++) {
        size_t low = part.low, high = part.high;
        find_kept(&part);
        settled = narrow(&part);
        if (part.low == low && part.high == high)
            break;
    }
    ser_vector_free(&part.kept);
    return settled;
}
