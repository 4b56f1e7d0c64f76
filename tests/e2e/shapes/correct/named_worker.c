// All that a thread does is named as atomic: rounds of a loop, and a count for all of them. Others
// come between, but nothing is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 4, sold, rounds;

static void *worker(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        stock += 5;
        sold += 2;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    rounds += 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define CORRECT (stock == 34 && sold == 12 && rounds == 6)
#define THREADS worker, worker
#include "../start.h"
