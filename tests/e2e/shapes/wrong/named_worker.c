// finds: a block in worker
// All that a thread does is named as atomic, and what others add between its two sections is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 4;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = stock;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    stock = seen + 5;
    pthread_mutex_unlock(&lock);
    return unused;
}

#define THREADS worker, worker
#include "../start.h"
