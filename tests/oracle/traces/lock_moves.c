/* SPDX-License-Identifier: MIT */
/*
 * The machine's locks: one exclusive holder or several shared ones. A thread
 * may hold a lock exclusively and shared at once if it took them in that order.
 */
#include "machine.h"

bool machine_acquire(machine *m, uint32_t thread, uint32_t lock)
{
    lock_state *state = &m->lock_states[lock];
    bool again = state->depth > 0 && state->holder == thread;
    if (!again && (state->depth > 0 || state->shared_count > 0))
        return false;
    state->holder = thread;
    state->depth++;
    return machine_emit(m, thread, SER_OP_ACQUIRE, lock);
}

bool machine_acquire_shared(machine *m, uint32_t thread, uint32_t lock)
{
    lock_state *state = &m->lock_states[lock];
    if (state->depth > 0 && state->holder != thread)
        return false;
    if (state->shared[thread]++ == 0)
        state->shared_count++;
    return machine_emit(m, thread, SER_OP_SHARED_ACQUIRE, lock);
}

bool machine_release(machine *m, uint32_t thread, uint32_t lock)
{
    lock_state *state = &m->lock_states[lock];
    if (state->depth == 0 || state->holder != thread)
        return false;
    state->depth--;
    return machine_emit(m, thread, SER_OP_RELEASE, lock);
}

bool machine_release_shared(machine *m, uint32_t thread, uint32_t lock)
{
    lock_state *state = &m->lock_states[lock];
    if (state->shared[thread] == 0)
        return false;
    if (--state->shared[thread] == 0)
        state->shared_count--;
    return machine_emit(m, thread, SER_OP_SHARED_RELEASE, lock);
}

/* Held both ways, it may become a reader's lock: a writer's release before the reader's. */
static bool release_either(machine *m, uint32_t thread, uint32_t lock)
{
    const lock_state *state = &m->lock_states[lock];
    bool is_both = state->shared[thread] && state->depth && state->holder == thread;
    if (is_both && random_chance(&m->random, 50))
        return machine_release(m, thread, lock);
    return machine_release_shared(m, thread, lock) || machine_release(m, thread, lock);
}

/* Releases one of the thread's locks; sections may overlap, so any will do. */
bool machine_release_any(machine *m, uint32_t thread)
{
    uint32_t start = random_below(&m->random, m->locks);
    for (uint32_t i = 0; i < m->locks; i++) {
        uint32_t lock = (start + i) % m->locks;
        if (release_either(m, thread, lock))
            return true;
    }
    return false;
}

bool machine_fail_try(machine *m, uint32_t thread, uint32_t lock)
{
    const lock_state *state = &m->lock_states[lock];
    if (state->depth == 0 && state->shared_count == 0)
        return false;
    return machine_emit(m, thread, SER_OP_TRY_FAILED, lock);
}
