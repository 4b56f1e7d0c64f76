/* SPDX-License-Identifier: MIT */
/*
 * The bank of the paper on symbolic prediction, re-made: -DTHREADS=N, and -DFIX=0 (bank-av), 1
 * (bank-sav) or 2 (bank-nav).
 *
 * Pairs of threads share two accounts, each with its own lock; what a withdrawal or
 * deposit reads under both locks it writes under both locks again. The fixes let one thread at a
 * time in, by a flag and a condition variable: into the withdrawal, or into both.
 */
#include <pthread.h>

typedef struct account {
    pthread_mutex_t lock;
    int balance;
} account;

static account from[THREADS / 2], to[THREADS / 2];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int busy;

static void enter(void)
{
    pthread_mutex_lock(&gate);
    while (busy)
        pthread_cond_wait(&opened, &gate);
    busy = 1;
    pthread_mutex_unlock(&gate);
}

static void leave(void)
{
    pthread_mutex_lock(&gate);
    busy = 0;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&gate);
}

static void lock_both(account *a, account *b)
{
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
}

static void unlock_both(account *a, account *b)
{
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&a->lock);
}

__attribute__((noinline)) static void withdraw(account *source, account *target, int amount)
{
    lock_both(source, target);
    int balance = source->balance;
    unlock_both(source, target);
    if (balance >= amount) {
        lock_both(source, target);
        source->balance = balance - amount;
        unlock_both(source, target);
    }
}

__attribute__((noinline)) static void deposit(account *source, account *target, int amount)
{
    lock_both(source, target);
    int balance = target->balance;
    unlock_both(source, target);
    if (balance <= 100000) {
        lock_both(source, target);
        target->balance = balance + amount;
        unlock_both(source, target);
    }
}

static void *work(void *number)
{
    account *source = &from[(long)number / 2], *target = &to[(long)number / 2];
    int amount = 10 + (int)(long)number;
    if (FIX > 0)
        enter();
    withdraw(source, target, amount);
    if (FIX == 1)
        leave();
    deposit(source, target, amount);
    if (FIX == 2)
        leave();
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS / 2; i++) {
        pthread_mutex_init(&from[i].lock, 0);
        pthread_mutex_init(&to[i].lock, 0);
        from[i].balance = 1000;
        to[i].balance = 0;
    }
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    int sum = 0;
    for (int i = 0; i < THREADS / 2; i++)
        sum += from[i].balance + to[i].balance;
    return sum != THREADS / 2 * 1000;
}
