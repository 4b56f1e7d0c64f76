/* SPDX-License-Identifier: MIT */
/*
 * A token that is stuck with a thread that does not go on: the watchdog (watchdog.c) knows when,
 * and this is how it is taken.
 */
#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/token.h"

static ser_runtime_world *const world = &ser_the_world;

static bool is_inside(const ser_thread *thread)
{
    return __atomic_load_n(&thread->inside, __ATOMIC_ACQUIRE) == SER_INSIDE;
}

/* While the thread is examined it may leave the runtime or enter it: so `inside` is read before
 * and after. With a limit of 0 it cannot do both. */
bool ser_token_steal(ser_thread *from, bool (*must_lose)(const ser_thread *thread))
{
    bool stolen = false;
    ser_lock_take(&world->lock);
    if (world->holder == from && world->first && !ser_replays()) {
        uint64_t limit = from->limit;
        ser_set_limit(from, 0);
        ser_clocks_barrier();
        if (is_inside(from) || !must_lose(from) || is_inside(from)) {
            ser_set_limit(from, limit); /* its turn ends where it would have */
        } else {
            if (from->ring->head < ser_token_room_end(from->ring)) {
                ser_the_platform.write_pending(from);
                ser_put_record(from, 0, 0, ser_tag(SER_RAW_STOLEN, 0, 0));
            }
            from->state = SER_OUTSIDE;
            ser_log(RUNTIME, INFO, "the token is taken from T%u, in turn %u", from->number,
                    world->turn);
            ser_token_hand_over();
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
        ser_clocks_barrier();
    }
    bool idle = !holder || !__atomic_load_n(&holder->inside, __ATOMIC_RELAXED);
    if (ser_replays() && milliseconds >= ser_replay_patience() && idle) {
        ser_replay_give_up();
        if (!holder)
            ser_token_hand_over();
    }
    ser_lock_give(&world->lock);
}
