/* SPDX-License-Identifier: MIT */
/* What is read by a call goes to another one, which is made through a pointer and stores it: what
 * others have stored in between is lost. finds: add */
#include <pthread.h>

typedef struct account {
    void (*set)(struct account *, int);
    int money;
    pthread_mutex_t lock;
} account;

static void set(account *to, int money)
{
    pthread_mutex_lock(&to->lock);
    to->money = money;
    pthread_mutex_unlock(&to->lock);
}

static int get(account *from)
{
    pthread_mutex_lock(&from->lock);
    int money = from->money;
    pthread_mutex_unlock(&from->lock);
    return money;
}

static account accounts[] = {{set, 100, PTHREAD_MUTEX_INITIALIZER},
                             {set, 100, PTHREAD_MUTEX_INITIALIZER}};

static void add(int money)
{
    for (int i = 0; i < 2; i++)
        accounts[i].set(&accounts[i], get(&accounts[i]) + money);
}

static void *work(void *unused)
{
    add(5);
    return unused;
}

#define THREADS work, work
#include "../start.h"
