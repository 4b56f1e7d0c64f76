/* SPDX-License-Identifier: MIT */
#include "trace/blocks/protection.h"

/* Added to a lock that is held for reading. */
static const uint32_t FOR_READING = UINT32_C(1) << 31;

void ser_protection_fini(ser_protection *protection)
{
    for (size_t i = 0; i < protection->threads.count; i++)
        ser_vector_free(&protection->threads.items[i].held);
    ser_vector_free(&protection->threads);
    ser_vector_free(&protection->variables);
}

static void see_thread(ser_protection *protection, const ser_event *event)
{
    bool forks = ser_op_forks((ser_op)event->op);
    ser_protected_thread *other = ser_vector_slot(&protection->threads, event->object);
    if (forks) {
        other->parent = event->thread + 1;
        other->fork = protection->position;
        protection->running++;
    } else if (ser_op_joins((ser_op)event->op)) {
        other->joiner = event->thread + 1;
        protection->running -= protection->running > 0;
    }
}

static void see_lock(ser_protection *protection, const ser_event *event)
{
    ser_held_locks *held = &ser_vector_slot(&protection->threads, event->thread)->held;
    if (event->flags & SER_EVENT_INNER || event->flow & SER_FLOW_ONCE)
        return;
    if (ser_op_acquires((ser_op)event->op)) {
        bool reads = ser_op_is_shared((ser_op)event->op);
        ser_vector_push(held, event->object | (reads ? FOR_READING : 0));
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < held->count; i++)
        if ((held->items[i] & ~FOR_READING) != event->object)
            held->items[kept++] = held->items[i];
    held->count = kept;
}

static bool is_held(const ser_held_locks *held, uint32_t lock, bool writes)
{
    for (size_t i = 0; i < held->count; i++)
        if (held->items[i] == lock || (!writes && held->items[i] == (lock | FOR_READING)))
            return true;
    return false;
}

static void intersect(ser_protected_variable *variable, const ser_held_locks *held, bool writes)
{
    uint8_t kept = 0;
    if (!variable->is_settled)
        for (size_t i = 0; i < held->count && variable->count < SER_PROTECTION_LOCKS; i++)
            variable->locks[variable->count++] = held->items[i] & ~FOR_READING;
    variable->is_settled = true;
    for (uint8_t i = 0; i < variable->count; i++)
        if (is_held(held, variable->locks[i], writes))
            variable->locks[kept++] = variable->locks[i];
    variable->count = kept;
}

/* From the thread that had it last, which started this one later or was joined by it. */
static bool is_handed_over(const ser_protection *protection, const ser_protected_variable *variable,
                           uint32_t thread)
{
    const ser_protected_thread *self = &protection->threads.items[thread];
    const ser_protected_thread *owner = &protection->threads.items[variable->owner - 1];
    return (self->parent == variable->owner && self->fork > variable->last) ||
           owner->joiner == thread + 1;
}

static void see_access(ser_protection *protection, const ser_event *event)
{
    ser_vector_extend(&protection->threads, (size_t)event->thread + 1);
    ser_protected_variable *variable = ser_vector_slot(&protection->variables, event->object);
    bool is_own = variable->owner == event->thread + 1;
    if (protection->running == 0 || (!variable->is_shared && variable->owner && !is_own &&
                                     is_handed_over(protection, variable, event->thread))) {
        variable->is_settled &= variable->is_shared; /* else what counts begins here */
        variable->count *= variable->is_shared;
    } else {
        variable->is_shared |= variable->owner && !is_own;
    }
    if (protection->running)
        intersect(variable, &protection->threads.items[event->thread].held,
                  ser_op_writes((ser_op)event->op));
    variable->owner = event->thread + 1;
    variable->last = protection->position;
}

void ser_protection_see(ser_protection *protection, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_is_access(op))
        see_access(protection, event);
    else if (ser_op_acquires(op) || ser_op_releases(op))
        see_lock(protection, event);
    else if (ser_op_space(op) == SER_SPACE_THREAD)
        see_thread(protection, event);
    protection->position++;
}

bool ser_protection_has(const ser_protection *protection, uint32_t variable, uint32_t lock)
{
    const ser_protected_variable *asked = &protection->variables.items[variable];
    bool found = !asked->is_shared;
    for (uint8_t i = 0; i < asked->count; i++)
        found |= asked->locks[i] == lock;
    return found;
}
