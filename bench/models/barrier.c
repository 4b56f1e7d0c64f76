/* SPDX-License-Identifier: MIT */
/*
 * Barrier: a benchmark of two barriers. Of a simple one, a counter under a lock, some of the
 * threads make one round. In a tournament each thread sets its flag and looks at those of
 * others until they are set, without any lock. Operations are counted under the
 * timer's lock, together with the flags that are seen, and by mistake set back without it.
 */
#include "models.h"

enum { WAITING = 6 }; /* threads that wait at the simple barrier for the one that comes last */

typedef struct barriers {
    uint32_t barrier, timer, everybody;
    uint32_t count, operations;
    range flags, times;
} barriers;

static void meet(program *p, const barriers *b, uint32_t worker)
{
    bool last = worker == WAITING;
    do_enter(p, "simpleBarrier");
    if (last) {
        do_await(p, b->everybody, WAITING);
        do_open(p, b->barrier);
    } else {
        do_acquire(p, b->barrier);
    }
    do_update(p, b->count);
    do_read(p, b->count);
    if (last) {
        do_write(p, b->count);
        do_notify_all(p, b->everybody);
        do_close(p, b->barrier);
    } else {
        do_wait(p, b->barrier, b->everybody);
        do_release(p, b->barrier);
    }
    do_leave(p);
}

static void add_operations(program *p, const barriers *b)
{
    do_enter(p, "addOperations");
    do_open(p, b->timer);
    do_read(p, b->operations);
    do_touch(p, b->flags);
    slot_sections(p, b->timer, b->times, 1);
    do_touch(p, b->flags);
    do_write(p, b->operations);
    do_close(p, b->timer);
    do_leave(p);
}

static void play_tournament(program *p, const barriers *b, uint32_t worker)
{
    do_enter(p, "tournamentBarrier");
    do_write(p, b->flags.first + worker);
    for (uint32_t gap = 1; gap < b->flags.count; gap *= 2) {
        range other = {b->flags.first + (worker + gap) % b->flags.count, 1};
        slot_accesses(p, other, 0, 1);
        slot_calls(p, 2);
    }
    do_leave(p);
}

void build_barrier(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t workers = wanted->threads - 1;
    barriers b = {
        .barrier = add_object(p, SER_SPACE_LOCK, "barrier"),
        .timer = add_object(p, SER_SPACE_LOCK, "timer"),
        .everybody = add_object(p, SER_SPACE_CONDITION, "barrier"),
        .count = add_object(p, SER_SPACE_VARIABLE, "barrier.count"),
        .operations = add_object(p, SER_SPACE_VARIABLE, "timer.operations"),
        .flags = add_objects(p, SER_SPACE_VARIABLE, workers, "done[%u]"),
    };
    b.times =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "timer.time[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, workers, "worker%u");

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    do_join_all(p);
    do_read(p, b.operations);
    for (uint32_t i = 0; i < workers; i++) {
        act_as(p, crew.first + i);
        play_tournament(p, &b, i);
        for (uint32_t k = share(wanted->blocks - 1, workers, i); k > 0; k--)
            add_operations(p, &b);
        if (i <= WAITING)
            meet(p, &b, i);
        if (i % 4 == 0)
            do_write(p, b.operations); /* the mistake */
        play_tournament(p, &b, i);
    }
}
