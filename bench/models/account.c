/* SPDX-License-Identifier: MIT */
/*
 * account: each thread owns an account and puts money into it, under the account's lock,
 * and keeps a statement, under another. Half of the owners wait for money from their neighbour, who
 * transfers it while holding only the lock of the wrong account. The bank
 * counts its money under a lock of its own.
 */
#include "models.h"

typedef struct bank {
    uint32_t lock, total;
    range locks, statement_locks, money; /* money: conditions */
    range balances, statements, rest;
} bank;

static void deposit(program *p, const bank *b, uint32_t account)
{
    do_enter(p, "deposit");
    do_open(p, b->locks.first + account);
    do_update(p, b->balances.first + account);
    slot_accesses(p, (range){b->balances.first + account, 1}, 40, 1);
    do_close(p, b->locks.first + account);
    do_leave(p);
}

static void print_statement(program *p, const bank *b, uint32_t account)
{
    do_enter(p, "statement");
    do_open(p, b->statement_locks.first + account);
    do_read(p, b->balances.first + account);
    if (account % 4 == 3)
        do_touch(p, b->rest);
    do_write(p, b->statements.first + account);
    if (account % 4 == 3)
        do_touch(p, b->rest);
    do_close(p, b->statement_locks.first + account);
    do_leave(p);
}

/* By the neighbour, under its own lock only. */
static void transfer(program *p, const bank *b, uint32_t from, uint32_t to)
{
    do_enter(p, "transfer");
    do_await(p, b->money.first + to, 1);
    do_open(p, b->locks.first + from);
    do_update(p, b->balances.first + from);
    do_update(p, b->balances.first + to);
    slot_sections(p, b->lock, (range){b->total, 1}, 1);
    do_notify(p, b->money.first + to);
    do_close(p, b->locks.first + from);
    do_leave(p);
}

static void await_money(program *p, const bank *b, uint32_t account)
{
    do_enter(p, "withdraw");
    do_acquire(p, b->locks.first + account);
    do_read(p, b->balances.first + account);
    do_wait(p, b->locks.first + account, b->money.first + account);
    do_update(p, b->balances.first + account);
    do_release(p, b->locks.first + account);
    do_leave(p);
}

static void own_account(program *p, const bank *b, uint32_t owner, uint32_t blocks)
{
    bool waits = owner % 2 == 0;
    for (uint32_t k = 0; k < blocks; k++) {
        if (k == 1 && waits)
            await_money(p, b, owner);
        if (k == 1 && !waits)
            transfer(p, b, owner, owner - 1);
        else if (k % 3 == 2)
            print_statement(p, b, owner);
        else
            deposit(p, b, owner);
        slot_accesses(p, b->rest, 15, 2);
        slot_calls(p, 1);
    }
}

void build_account(program *p)
{
    const figures *wanted = p->wanted;
    uint32_t owners = wanted->threads - 1;
    bank b = {
        .lock = add_object(p, SER_SPACE_LOCK, "bank"),
        .locks = add_objects(p, SER_SPACE_LOCK, owners, "account%u"),
        .statement_locks = add_objects(p, SER_SPACE_LOCK, owners, "statement%u"),
        .money = add_objects(p, SER_SPACE_CONDITION, owners, "account%u"),
        .total = add_object(p, SER_SPACE_VARIABLE, "bank.total"),
        .balances = add_objects(p, SER_SPACE_VARIABLE, owners, "account[%u].balance"),
        .statements = add_objects(p, SER_SPACE_VARIABLE, owners, "account[%u].statement"),
    };
    b.rest =
        add_objects(p, SER_SPACE_VARIABLE, wanted->variables - p->made.variables, "customer[%u]");
    range crew = add_objects(p, SER_SPACE_THREAD, owners, "owner%u");

    do_write_all(p, (range){0, p->made.variables});
    do_fork_all(p);
    do_join_all(p);
    do_open(p, b.lock);
    do_read(p, b.total);
    do_read_all(p, b.balances);
    do_close(p, b.lock);
    for (uint32_t i = 0; i < owners; i++) {
        act_as(p, crew.first + i);
        own_account(p, &b, i, share(wanted->blocks - 1, owners, i));
    }
}
