/* SPDX-License-Identifier: MIT */
/*
 * philo: philosophers at a table. In each round one takes two forks while others come, find
 * them taken and wait; when it puts them back it wakes everybody. Forks are guarded by the table's
 * lock, what is said by locks of the seats, and everybody listens.
 */
#include "models.h"

enum { ROUNDS = 6 };

typedef struct table {
    uint32_t lock, forks_free;
    range came; /* milestones, one a round */
    range seat_locks, forks, thoughts, words;
} table;

static void see_forks(program *p, const table *t, uint32_t seat)
{
    do_read(p, t->forks.first + seat);
    do_read(p, t->forks.first + (seat + 1) % t->forks.count);
}

static void set_forks(program *p, const table *t, uint32_t seat)
{
    do_write(p, t->forks.first + seat);
    do_write(p, t->forks.first + (seat + 1) % t->forks.count);
}

static void speak(program *p, const table *t, uint32_t seat)
{
    do_open(p, t->seat_locks.first + seat);
    do_update(p, t->words.first + seat);
    slot_accesses(p, (range){t->words.first + seat, 2}, 20, 2);
    do_close(p, t->seat_locks.first + seat);
}

static void think(program *p, const table *t, uint32_t seat)
{
    slot_accesses(p, t->thoughts, 3, 4);
    slot_accesses(p, (range){t->words.first + (seat + 2) % t->seat_locks.count, 1}, 0, 1);
    slot_calls(p, 1);
}

static void eat(program *p, const table *t, uint32_t seat, uint32_t round, uint32_t waits)
{
    do_enter(p, "getForks");
    do_open(p, t->lock);
    see_forks(p, t, seat);
    set_forks(p, t, seat);
    do_close(p, t->lock);
    do_leave(p);
    think(p, t, seat);
    do_enter(p, "putForks");
    do_await(p, t->came.first + round, waits);
    do_open(p, t->lock);
    set_forks(p, t, seat);
    slot_sections(p, t->lock, t->forks, 1);
    do_notify_all(p, t->forks_free);
    do_close(p, t->lock);
    do_leave(p);
}

static void await_forks(program *p, const table *t, uint32_t seat, uint32_t round)
{
    do_enter(p, "getForks");
    do_acquire(p, t->lock);
    see_forks(p, t, seat);
    do_reach(p, t->came.first + round);
    do_wait(p, t->lock, t->forks_free);
    see_forks(p, t, seat);
    do_release(p, t->lock);
    do_leave(p);
}

void build_philo(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t seats = wanted->threads - 1;
    table t = {
        .lock = add_object(p, SER_SPACE_LOCK, "table"),
        .seat_locks = add_objects(p, SER_SPACE_LOCK, wanted->locks - 1, "seat%u"),
        .forks_free = add_object(p, SER_SPACE_CONDITION, "table"),
        .came = add_objects(p, SER_SPACE_CONDITION, ROUNDS, "round%u"),
        .forks = add_objects(p, SER_SPACE_VARIABLE, seats, "fork[%u]"),
        .words = add_objects(p, SER_SPACE_VARIABLE, seats + 1, "word[%u]"),
    };
    t.thoughts =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "thought[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, seats, "philosopher%u");

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    do_join_all(p);
    uint32_t waits = wanted->waits_notifies - ROUNDS;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t eater = round % seats, others = share(waits, ROUNDS, round);
        for (uint32_t k = 1; k <= others; k++) {
            act_as(p, crew.first + (eater + k) % seats);
            await_forks(p, &t, (eater + k) % seats, round);
            think(p, &t, (eater + k) % seats);
        }
        act_as(p, crew.first + eater);
        eat(p, &t, eater, round, others);
    }
    for (uint32_t k = p->made.blocks; k < wanted->blocks; k++) {
        act_as(p, crew.first + k % seats);
        speak(p, &t, k % seats);
        think(p, &t, k % seats);
    }
}
