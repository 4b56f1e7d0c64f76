/* The check that counts is made under the lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1, sold;

static void take(void)
{
    pthread_mutex_lock(&lock);
    if (stock > 0) {
        stock--;
        sold++;
    }
    pthread_mutex_unlock(&lock);
}

static void *buyer(void *unused)
{
    take();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, buyer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d\n", stock, sold);
    return sold == 1 ? 0 : 1;
}
