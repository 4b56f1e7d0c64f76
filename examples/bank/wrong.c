/* SPDX-License-Identifier: MIT
 *
 * bank: tellers transfer money between two accounts, and each adds up both at the end of
 * the day.
 *
 * Every access holds the lock of its account, so there is no data race. But `total` reads
 * the two balances in two critical sections. If a transfer comes between them, money is
 * counted twice, or not at all.
 *
 * Blocks: markers
 */
#include <pthread.h>
#include <seriatim/annotate.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&alice.lock);
    pthread_mutex_lock(&bob.lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&bob.lock);
    pthread_mutex_unlock(&alice.lock);
}

static int balance_of(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

static int total(void)
{
    SERIATIM_ATOMIC_BEGIN("total");
    int sum = balance_of(&alice);
    sum += balance_of(&bob);
    SERIATIM_ATOMIC_END();
    return sum;
}

struct teller {
    pthread_t thread;
    int amount; /* from alice to bob */
    int total;  /* what the teller found in the end */
};

static void *work(void *argument)
{
    struct teller *teller = argument;
    transfer(&alice, &bob, teller->amount);
    teller->total = total();
    return NULL;
}

int main(void)
{
    struct teller tellers[] = {{.amount = 80}, {.amount = -30}};
    for (int i = 0; i < 2; i++)
        pthread_create(&tellers[i].thread, NULL, work, &tellers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(tellers[i].thread, NULL);
    printf("alice %d, bob %d\n", alice.balance, bob.balance);
    printf("totals %d and %d\n", tellers[0].total, tellers[1].total);
    return 0;
}
