/* SPDX-License-Identifier: MIT */
/*
 * liveness: a registry asks its workers whether they are alive. Each worker beats under
 * a lock of its own; some then wait for the registry's next round; all write logs. The
 * registry changes the state without a lock that beats hold, so a beat can see two; and
 * nothing guards the settings.
 */
#include "models.h"

typedef struct registry {
    uint32_t lock, next_round;
    range beat_locks, log_locks;
    uint32_t state, alive;
    range beats, logs, rest;
} registry;

static void beat(program *p, const registry *r, uint32_t worker)
{
    do_enter(p, "beat");
    do_open(p, r->beat_locks.first + worker);
    do_read(p, r->state);
    do_update(p, r->beats.first + worker);
    if (worker % 3 == 0)
        do_read(p, r->state);
    else
        do_touch(p, r->rest);
    slot_sections(p, r->lock, (range){r->alive, 1}, 1);
    do_close(p, r->beat_locks.first + worker);
    do_leave(p);
}

static void write_log(program *p, const registry *r, uint32_t worker)
{
    uint32_t log = worker % r->log_locks.count;
    do_enter(p, "log");
    do_open(p, r->log_locks.first + log);
    do_touch(p, r->rest);
    do_update(p, r->logs.first + log);
    do_touch(p, r->rest);
    do_read(p, r->state);
    do_close(p, r->log_locks.first + log);
    do_leave(p);
}

static void await_round(program *p, const registry *r)
{
    do_acquire(p, r->lock);
    do_read(p, r->state);
    do_wait(p, r->lock, r->next_round);
    do_read(p, r->state);
    do_release(p, r->lock);
}

static void start_rounds(program *p, const registry *r, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        do_write(p, r->state);
        do_await(p, r->next_round, i + 1);
        do_open(p, r->lock);
        do_update(p, r->alive);
        slot_accesses(p, r->rest, 30, 3);
        do_notify(p, r->next_round);
        do_close(p, r->lock);
        do_read_all(p, r->beats);
    }
}

void build_liveness(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t workers = wanted->threads - 1, rounds = wanted->waits_notifies / 2;
    registry r = {
        .lock = add_object(p, SER_SPACE_LOCK, "registry"),
        .next_round = add_object(p, SER_SPACE_CONDITION, "registry"),
        .beat_locks = add_objects(p, SER_SPACE_LOCK, workers, "beat%u"),
        .log_locks = add_objects(p, SER_SPACE_LOCK, wanted->locks - workers - 1, "log%u"),
        .state = add_object(p, SER_SPACE_VARIABLE, "registry.state"),
        .alive = add_object(p, SER_SPACE_VARIABLE, "registry.alive"),
        .logs = add_objects(p, SER_SPACE_VARIABLE, wanted->locks - workers - 1, "log[%u].length"),
        .beats = add_objects(p, SER_SPACE_VARIABLE, workers, "worker[%u].beat"),
    };
    r.rest = add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables,
                         "registry.setting[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, workers, "worker%u");

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    start_rounds(p, &r, rounds);
    do_join_all(p);
    uint32_t logs = wanted->blocks - rounds - workers;
    for (uint32_t i = 0; i < workers; i++) {
        act_as(p, crew.first + i);
        slot_accesses(p, r.rest, 25, 4);
        slot_calls(p, 1);
        beat(p, &r, i);
        if (i < rounds)
            await_round(p, &r);
        slot_accesses(p, r.rest, 25, 4);
        for (uint32_t k = share(logs, workers, i); k > 0; k--)
            write_log(p, &r, i);
    }
}
