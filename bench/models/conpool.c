/* SPDX-License-Identifier: MIT */
/*
 * conpool: clients share the connections of a pool. The first one takes all; the others
 * wait until it puts them back. Only the count of connections served is not guarded.
 */
#include "models.h"

typedef struct pool {
    uint32_t lock, returned, taken; /* lock, condition, milestone */
    uint32_t idle, busy, served;
    range fixed; /* written by the constructor only */
} pool;

static void get(program *p, const pool *c, bool first)
{
    if (first) {
        do_open(p, c->lock);
    } else {
        do_await(p, c->taken, 1);
        do_acquire(p, c->lock);
        do_read(p, c->idle);
        do_wait(p, c->lock, c->returned);
    }
    do_update(p, c->idle);
    do_update(p, c->busy);
    if (first)
        do_close(p, c->lock);
    else
        do_release(p, c->lock);
    do_reach(p, c->taken);
}

static void put(program *p, const pool *c, bool first, uint32_t waiters)
{
    if (first)
        do_await(p, c->returned, waiters);
    do_open(p, c->lock);
    do_update(p, c->busy);
    do_update(p, c->idle);
    if (first)
        do_notify_all(p, c->returned);
    do_close(p, c->lock);
}

void build_conpool(program *p)
{
    const figures *wanted = p->wanted;
    pool c = {
        .lock = add_object(p, SER_SPACE_LOCK, "pool"),
        .returned = add_object(p, SER_SPACE_CONDITION, "pool"),
        .taken = add_object(p, SER_SPACE_CONDITION, "taken"),
        .idle = add_object(p, SER_SPACE_VARIABLE, "pool.idle"),
        .busy = add_object(p, SER_SPACE_VARIABLE, "pool.busy"),
        .served = add_object(p, SER_SPACE_VARIABLE, "pool.served"),
    };
    c.fixed =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "pool.limit[%u]");
    range clients = add_objects(p, SER_SPACE_THREAD, wanted->threads - 1, "client%u");
    range all = {0, p->made.variables};

    do_write_all(p, all);
    do_fork_all(p);
    do_join_all(p);
    do_read_all(p, all);
    for (uint32_t i = 0; i < clients.count; i++) {
        act_as(p, clients.first + i);
        do_enter(p, "client");
        get(p, &c, i == 0);
        slot_accesses(p, c.fixed, 0, 1);
        slot_calls(p, 1);
        do_update(p, c.served);
        put(p, &c, i == 0, clients.count - 1);
        do_leave(p);
    }
}
