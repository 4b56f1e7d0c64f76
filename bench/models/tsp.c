/* SPDX-License-Identifier: MIT */
/*
 * Tsp: workers look for the shortest tour, each for itself and for long. When one finds a shorter
 * tour it looks at how far the others are, and updates the bound under a lock; all others
 * see the new bound at once. So threads know much of each other at the few
 * blocks that there are, and segments are tiny.
 */
#include "models.h"

enum { IDLE = 2 }; /* workers that wait for the start */

typedef struct search {
    range locks;
    uint32_t bound, best, started;
    range waiting, known; /* milestones, one an update */
    range progress, distances, tours;
} search;

static void look_for_tours(program *p, const search *s, uint32_t workers, uint32_t worker)
{
    do_enter(p, "search");
    slot_accesses(p, s->distances, 0, 2);
    slot_calls(p, 1);
    slot_accesses(p, part_of(s->tours, workers, worker), 30, 2);
    slot_calls(p, 1);
    do_leave(p);
}

static void update_bound(program *p, const search *s, uint32_t update, uint32_t others)
{
    uint32_t lock = s->locks.first + 1 + update % (s->locks.count - 1);
    do_await(p, s->waiting.first + update, others);
    do_read_all(p, s->progress);
    do_open(p, lock);
    do_update(p, s->bound);
    slot_sections(p, lock, (range){s->best, 1}, 1);
    do_close(p, lock);
    do_reach(p, s->known.first + update);
}

static void see_bound(program *p, const search *s, uint32_t update, uint32_t worker)
{
    do_write(p, s->progress.first + worker);
    do_reach(p, s->waiting.first + update);
    do_await(p, s->known.first + update, 1);
    do_read(p, s->bound);
}

static void await_start(program *p, const search *s)
{
    do_acquire(p, s->locks.first);
    do_wait(p, s->locks.first, s->started);
    do_release(p, s->locks.first);
}

static void start(program *p, const search *s)
{
    do_await(p, s->started, IDLE);
    do_open(p, s->locks.first);
    do_update(p, s->bound);
    do_notify_all(p, s->started);
    do_close(p, s->locks.first);
}

void build_tsp(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t workers = wanted->threads - 1, updates = wanted->blocks - 1;
    search s = {
        .locks = add_objects(p, SER_SPACE_LOCK, wanted->locks, "lock%u"),
        .started = add_object(p, SER_SPACE_CONDITION, "started"),
        .waiting = add_objects(p, SER_SPACE_CONDITION, updates, "waiting%u"),
        .known = add_objects(p, SER_SPACE_CONDITION, updates, "known%u"),
        .bound = add_object(p, SER_SPACE_VARIABLE, "bound"),
        .best = add_object(p, SER_SPACE_VARIABLE, "best"),
        .progress = add_objects(p, SER_SPACE_VARIABLE, workers, "progress[%u]"),
    };
    uint32_t left = wanted->variables - p->made.variables;
    s.distances = add_objects(p, SER_SPACE_VARIABLE, left / 2, "distance[%u]");
    s.tours = add_objects(p, SER_SPACE_VARIABLE, left - left / 2, "tour[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, workers, "worker%u");
    p->burst = 100;

    do_write_all(p, (range){0, p->made.variables});
    for (uint32_t i = 0; i < IDLE; i++)
        do_fork(p, crew.first + i);
    start(p, &s);
    for (uint32_t i = IDLE; i < workers; i++)
        do_fork(p, crew.first + i);
    do_join_all(p);
    do_read(p, s.bound);
    for (uint32_t i = 0; i < workers; i++) {
        act_as(p, crew.first + i);
        if (i < IDLE)
            await_start(p, &s);
        for (uint32_t k = 0; k < updates; k++) {
            look_for_tours(p, &s, workers, i);
            if (k % workers == i)
                update_bound(p, &s, k, workers - 1);
            else
                see_bound(p, &s, k, i);
        }
        look_for_tours(p, &s, workers, i);
    }
}
