/* SPDX-License-Identifier: MIT */
/*
 * ThriftTrace: a server with a pool of threads. MAIN puts tasks into a queue; workers wait
 * for them, and work on a connection of their own, which they lock. So threads
 * have little to do with each other, and segments are large. No lock guards the
 * statistics.
 */
#include "models.h"

typedef struct server {
    uint32_t queue, tasks; /* lock and condition */
    uint32_t length, head;
    uint32_t candidates; /* blocks of workers */
    range connection_locks, connections, configuration, statistics;
} server;

/* Some workers idle when a task comes, except towards the end. */
static void await_idle(program *p, const server *s, uint32_t number)
{
    uint32_t waits = p->wanted->waits_notifies / 2, workers = p->wanted->threads - 1;
    uint32_t idle = number + 2 * workers < waits ? (workers + 1) / 2 : 1;
    if (number < waits)
        do_await(p, s->tasks, number + idle);
}

static void add_task(program *p, const server *s, uint32_t number)
{
    do_enter(p, "add");
    await_idle(p, s, number);
    do_open(p, s->queue);
    do_update(p, s->length);
    do_write(p, s->head);
    do_notify(p, s->tasks);
    do_close(p, s->queue);
    do_leave(p);
}

/* A notify alone. */
static void nudge(program *p, const server *s, uint32_t number)
{
    await_idle(p, s, number);
    do_notify(p, s->tasks);
}

static void serve(program *p, const server *s, uint32_t tasks)
{
    uint32_t notifies = p->wanted->waits_notifies - p->wanted->waits_notifies / 2;
    for (uint32_t i = 0; i < notifies; i++) {
        if (share(tasks, notifies, i) > 0)
            add_task(p, s, i);
        else
            nudge(p, s, i);
        slot_accesses(p, s->configuration, 0, 1);
        slot_calls(p, 1);
    }
}

/* A worker may be woken for nothing. */
static void await_task(program *p, const server *s, bool found)
{
    do_enter(p, "run");
    do_acquire(p, s->queue);
    if (found)
        do_read(p, s->length);
    do_wait(p, s->queue, s->tasks);
    if (found)
        do_read(p, s->head);
    do_release(p, s->queue);
    do_leave(p);
}

static void work(program *p, const server *s, uint32_t lock, range connection, bool disturbed)
{
    do_enter(p, "process");
    do_open(p, lock);
    if (disturbed)
        do_touch(p, s->statistics);
    do_update(p, connection.first);
    slot_accesses(p, connection, 30, 2);
    slot_sections(p, lock, connection, 1);
    if (disturbed)
        do_touch(p, s->statistics);
    do_close(p, lock);
    do_leave(p);
    slot_accesses(p, connection, 30, 3);
    slot_accesses(p, s->configuration, 0, 1);
    slot_accesses(p, s->statistics, 2, 1);
    slot_calls(p, 4);
}

static void run_worker(program *p, const server *s, uint32_t workers, uint32_t i, uint32_t before,
                       uint32_t blocks)
{
    uint32_t waits = share(p->wanted->waits_notifies / 2, workers, i);
    range locks = part_of(s->connection_locks, workers, i);
    range connections = part_of(s->connections, workers, i);
    uint32_t rounds = waits > blocks ? waits : blocks;
    for (uint32_t k = 0; k < rounds; k++) {
        bool works = share(blocks, rounds, k) > 0;
        if (share(waits, rounds, k) > 0)
            await_task(p, s, works);
        if (works)
            work(p, s, locks.first + k % locks.count,
                 part_of(connections, locks.count, k % locks.count),
                 share(p->disturbed, s->candidates, before++) > 0);
    }
}

void build_thrift(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t workers = wanted->threads - 1;
    server s = {
        .queue = add_object(p, SER_SPACE_LOCK, "queue"),
        .connection_locks = add_objects(p, SER_SPACE_LOCK, wanted->locks - 1, "connection%u"),
        .tasks = add_object(p, SER_SPACE_CONDITION, "queue"),
        .length = add_object(p, SER_SPACE_VARIABLE, "queue.length"),
        .head = add_object(p, SER_SPACE_VARIABLE, "queue.head"),
        .statistics = add_objects(p, SER_SPACE_VARIABLE, 4, "server.statistics[%u]"),
        .configuration = add_objects(p, SER_SPACE_VARIABLE, 6, "server.option[%u]"),
    };
    s.connections =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "connection[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, workers, "worker%u");
    p->burst = 20;

    uint32_t notifies = wanted->waits_notifies - wanted->waits_notifies / 2;
    uint32_t tasks = notifies < wanted->blocks / 2 ? notifies : wanted->blocks / 2;
    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    serve(p, &s, tasks);
    do_join_all(p);
    if (wanted->lock_events % 2)
        do_acquire(p, s.queue);
    s.candidates = wanted->blocks - tasks;
    for (uint32_t i = 0, before = 0; i < workers; i++) {
        uint32_t blocks = share(s.candidates, workers, i);
        act_as(p, crew.first + i);
        run_worker(p, &s, workers, i, before, blocks);
        before += blocks;
    }
}
