/* SPDX-License-Identifier: MIT */
/* Two calls through pointers in one round of a loop belong together: others may draw between the
 * look at the balance and the withdrawal. finds: collect */
#include <pthread.h>

typedef struct account {
    int (*balance)(struct account *);
    void (*withdraw)(struct account *, int);
    int money;
    pthread_mutex_t lock;
} account;

static int balance(account *from)
{
    pthread_mutex_lock(&from->lock);
    int money = from->money;
    pthread_mutex_unlock(&from->lock);
    return money;
}

static void withdraw(account *from, int money)
{
    pthread_mutex_lock(&from->lock);
    from->money -= money;
    pthread_mutex_unlock(&from->lock);
}

static account accounts[] = {{balance, withdraw, 100, PTHREAD_MUTEX_INITIALIZER},
                             {balance, withdraw, 100, PTHREAD_MUTEX_INITIALIZER}};

static void collect(int fee)
{
    for (int i = 0; i < 2; i++)
        if (accounts[i].balance(&accounts[i]) >= fee)
            accounts[i].withdraw(&accounts[i], fee);
}

static void *work(void *unused)
{
    collect(60);
    return unused;
}

#define THREADS work, work
#include "../start.h"
