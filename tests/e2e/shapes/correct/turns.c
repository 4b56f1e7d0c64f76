/* SPDX-License-Identifier: MIT */
/* Whose turn it is may change only by the one whose turn it is. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int players, turn, moves;

static void *player(void *unused)
{
    pthread_mutex_lock(&lock);
    int me = players++;
    pthread_mutex_unlock(&lock);
    for (int moved = 0; moved < 2;) {
        pthread_mutex_lock(&lock);
        int mine = turn == me;
        pthread_mutex_unlock(&lock);
        if (!mine) {
            sched_yield();
            continue;
        }
        moves++;
        moved++;
        pthread_mutex_lock(&lock);
        turn = 1 - me;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

#define THREADS player, player
#define CORRECT moves == 4
#include "../start.h"
