/* SPDX-License-Identifier: MIT */
/*
 * A server for `seriatim watch`: a thread makes requests, four handle them.
 *
 *     watched_server SECONDS [WRONG_AFTER [PAUSE]]
 *
 * All is under locks; after WRONG_AFTER seconds an audit begins that reads the total twice, in two
 * critical sections: it is not atomic. Every tenth request is followed by a pause of PAUSE
 * microseconds. Not built with the rest: it needs seriatim cc.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "seriatim/annotate.h"

enum { WORKERS = 4, ACCOUNTS = 64 };

typedef struct request {
    struct request *next;
    int account;
    long amount;
} request;

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bank_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static request *queue;
static long balance[ACCOUNTS], total, differences;
static int stop;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void deposit(int account, long amount)
{
    SERIATIM_ATOMIC_BEGIN("deposit");
    pthread_mutex_lock(&bank_lock);
    balance[account] += amount;
    total += amount;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
}

static void audit(void)
{
    SERIATIM_ATOMIC_BEGIN("audit");
    pthread_mutex_lock(&bank_lock);
    long before = total;
    pthread_mutex_unlock(&bank_lock);
    pthread_mutex_lock(&bank_lock);
    differences += before != total;
    pthread_mutex_unlock(&bank_lock);
    SERIATIM_ATOMIC_END();
}

static void *work(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&queue_lock);
        while (!queue && !stop)
            pthread_cond_wait(&filled, &queue_lock);
        request *mine = queue;
        if (mine)
            queue = mine->next;
        pthread_mutex_unlock(&queue_lock);
        if (!mine)
            return NULL;
        deposit(mine->account, mine->amount);
        free(mine);
    }
}

static void submit(long number)
{
    request *fresh = malloc(sizeof *fresh);
    if (!fresh)
        abort();
    fresh->account = (int)(number % ACCOUNTS);
    fresh->amount = number % 7;
    pthread_mutex_lock(&queue_lock);
    fresh->next = queue;
    queue = fresh;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&queue_lock);
}

int main(int argc, char **argv)
{
    pthread_t workers[WORKERS];
    double start = now(), seconds = argc > 1 ? atof(argv[1]) : 10;
    double wrong_after = argc > 2 ? atof(argv[2]) : -1;
    unsigned pause = argc > 3 ? (unsigned)atoi(argv[3]) : 100;
    int told = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (long n = 0; now() - start < seconds; n++) {
        submit(n);
        if (wrong_after >= 0 && now() - start > wrong_after && n % 50 == 0) {
            if (!told++)
                fprintf(stderr, "wrong from %.1f s on\n", now() - start);
            audit();
        }
        if (n % 10 == 0)
            usleep(pause);
    }
    pthread_mutex_lock(&queue_lock);
    stop = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&queue_lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
